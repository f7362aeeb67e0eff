import { readId, uuidOf } from "../../domain/ids.ts";
import type { Ledger } from "../ledger.ts";
import { type PastTagChange, type PutTag, tagChangesOf, tagsOfGroups, tagsOfLetter } from "../tags.ts";
import type { LetterSummary } from "./find-letters.ts";
import { readGroupNames } from "./group-names.ts";
import { familiesOf } from "./marked-groups.ts";

/** A tag that `tag:` finds a letter by. */
export interface LetterTag extends PutTag {
  /** Of the letter itself, or of its group and so of all its letters. */
  readonly of: "letter" | "group";
}

/** All of them, its own first. */
export async function letterTags(
  ledger: Ledger,
  { id, group }: Pick<LetterSummary, "id" | "group">,
): Promise<readonly LetterTag[]> {
  const groups = await groupsOf(ledger, group);
  const [own, ofGroup] = [await tagsOfLetter(ledger, uuidOf(readId("letter", id))), await tagsOfGroups(ledger, groups)];
  return [
    ...own.map((tag) => ({ ...tag, of: "letter" as const })),
    ...ofGroup.map((tag) => ({ ...tag, of: "group" as const })),
  ];
}

/** What became of its tags, the first first; those of its group too. */
export async function letterTagHistory(
  ledger: Ledger,
  { id, group }: Pick<LetterSummary, "id" | "group">,
): Promise<readonly PastTagChange[]> {
  return tagChangesOf(ledger, { letter: uuidOf(readId("letter", id)), groups: await groupsOf(ledger, group) });
}

/** Of the groups that are one with it by now. */
async function groupsOf(ledger: Ledger, group: string): Promise<readonly string[]> {
  const families = familiesOf([uuidOf(readId("group", group))], await readGroupNames(ledger));
  return families.flatMap(({ ids }) => ids);
}
