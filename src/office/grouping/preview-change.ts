import { hexOf, readId, showId, uuidOf } from "../../domain/ids.ts";
import { countInGroups, newestInGroups } from "../../ledger/regrouping.ts";
import { readGroup } from "../../ledger/search/find-groups.ts";
import type { LettersAtHand } from "../policy/judge-anew.ts";
import { conditionOf, groupsToMerge } from "./change-groups.ts";
import { standingFacts } from "./standing-facts.ts";

/** What a merge or a split would do to the letters that are here. */
export interface ChangePreview {
  /** The group that letters would leave, as it is by now. */
  readonly group: string;
  /** Letters that were looked at, the newest, and how many there are. */
  readonly looked: number;
  readonly letters: number;
  /** Of those looked at: how many would go. */
  readonly moving: number;
  readonly examples: readonly string[];
}

/** A condition is tried on so many letters at most. */
const lookedAtMost = 10_000;
const atOnce = 500;
const mostExamples = 5;

export async function previewMerge(
  office: LettersAtHand,
  request: { readonly id: string; readonly into: string },
): Promise<ChangePreview> {
  const [from] = await groupsToMerge(office, request);
  const groups = [from.id, ...from.mergedFrom].map((id) => uuidOf(readId("group", id)));
  const { letters } = await countInGroups(office.ledger, groups);
  const examples = await newestInGroups(office.ledger, groups, mostExamples);
  return { group: from.id, looked: letters, letters, moving: letters, examples: examples.map(shown) };
}

export async function previewSplit(
  office: LettersAtHand,
  { id, when }: { readonly id: string; readonly when: string },
): Promise<ChangePreview> {
  const condition = conditionOf(when);
  const group = await readGroup(office.ledger, id, office.clock.now());
  const groups = [group.id, ...group.mergedFrom].map((each) => uuidOf(readId("group", each)));
  const { letters } = await countInGroups(office.ledger, groups);
  const ids = await newestInGroups(office.ledger, groups, lookedAtMost);
  const going: string[] = [];
  for (let start = 0; start < ids.length; start += atOnce) {
    const page = ids.slice(start, start + atOnce);
    const facts = await standingFacts(office, page);
    for (const each of page) {
      const known = facts.get(hexOf(each));
      if (known !== undefined && condition.holds(known)) going.push(shown(each));
    }
  }
  return {
    ...{ group: group.id, looked: ids.length, letters },
    ...{ moving: going.length, examples: going.slice(0, mostExamples) },
  };
}

const shown = (id: Uint8Array) => showId("letter", id);
