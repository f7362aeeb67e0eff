import type { Actor } from "../../domain/actor.ts";
import type { Category } from "../../domain/classification.ts";
import { uuidOf } from "../../domain/ids.ts";
import { type OpenGroup, openPerGroup } from "../../ledger/reclassify.ts";
import type { Policy } from "../../policy-file/policy-file.ts";
import { type PolicyPreview, startPreview } from "../../policy-file/preview-policy.ts";
import { protocolFor } from "../../policy-file/protocol-for.ts";
import { conditionFacts, tellingAsShown } from "./condition-facts.ts";
import { type LettersAtHand, type MovableLetter, movableLetters } from "./judge-anew.ts";

/** How a letter may go back, as far as a policy has a say. */
export type ReplayStanding = "bulk" | "single" | "never" | "denied";

/** What a policy would do to the letters of the ledger, compared with the one in force. */
export interface PolicyEffect extends PolicyPreview {
  /** What the groups are called that letters would move in. */
  readonly titles: Readonly<Record<string, string>>;
  /** Letters that might go back otherwise than now, most first. */
  readonly replay: readonly StandingChange[];
}

export interface StandingChange {
  readonly from: ReplayStanding;
  readonly to: ReplayStanding;
  readonly n: number;
  readonly examples: readonly string[];
}

interface Comparison {
  readonly before: Policy;
  readonly after: Policy;
  readonly actor: Actor;
}

const mostExamples = 3;

/** Tries a policy on every letter that it could move, as people are shown them. Nothing is changed. */
export async function previewEffect(office: LettersAtHand, compared: Comparison): Promise<PolicyEffect> {
  const groups = await openPerGroup(office.ledger);
  const preview = startPreview(compared.after);
  const changes = new Map<string, { from: ReplayStanding; to: ReplayStanding; n: number; examples: string[] }>();
  const titles = new Map<string, string>();
  for await (const page of movableLetters(office, tellingAsShown(office.ledger.masking))) {
    for (const letter of page) {
      const became = preview.add(letter);
      const group = groups.get(uuidOf(letter.candidate.groupId));
      if (became.category !== letter.candidate.category) titles.set(letter.group ?? "", group?.title ?? "");
      const [from, to] = standings(office, letter, { ...compared, became: became.category, group });
      if (from === to) continue;
      const change = changes.get(`${from} ${to}`) ?? { from, to, n: 0, examples: [] };
      change.n += 1;
      if (change.examples.length < mostExamples) change.examples.push(letter.id);
      changes.set(`${from} ${to}`, change);
    }
  }
  const replay = [...changes.values()].sort((a, b) => b.n - a.n);
  return { ...preview.result(), titles: Object.fromEntries(titles), replay };
}

interface Standing extends Comparison {
  readonly became: Category;
  readonly group: OpenGroup | undefined;
}

/** In a plan of all the letters of its group that are open, as people mostly plan them. */
function standings(
  { clock, ledger }: LettersAtHand,
  { candidate, opened: { letter, reading } }: MovableLetter,
  { before, after, actor, became, group }: Standing,
): [before: ReplayStanding, after: ReplayStanding] {
  const plan = { n: group?.open ?? 1, actor };
  const tell = tellingAsShown(ledger.masking);
  const under = (policy: Policy, category: Category): ReplayStanding => {
    const facts = conditionFacts(letter, reading, { ...candidate, category, now: clock.now() }, tell);
    const { deniedBy, allows } = protocolFor(policy, facts, plan);
    return deniedBy === null ? allows : "denied";
  };
  return [under(before, candidate.category), under(after, became)];
}
