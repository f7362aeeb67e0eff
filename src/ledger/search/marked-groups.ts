import { assigneesOf, groupsWithWords, type NamedGroup } from "../group-words.ts";
import type { Ledger } from "../ledger.ts";
import { groupsWithTags } from "../tags.ts";
import type { Mark } from "./asked-marks.ts";
import type { GroupNames } from "./group-names.ts";

/** A name, and the groups that have it, as UUIDs. */
export interface MarkedGroup {
  readonly name: string;
  readonly groups: readonly string[];
}

/**
 * What people said of groups, as far as a search asks for it. Told apart from the search: groups that were merged are one, so that what
 * was said of any of them holds for the letters of all, wherever those still are.
 */
export interface MarkedGroups {
  /** Who has them, by what was said last. */
  readonly assigned: readonly MarkedGroup[];
  readonly tagged: readonly MarkedGroup[];
  readonly noted: readonly string[];
}

const nothing: MarkedGroups = { assigned: [], tagged: [], noted: [] };

export async function readMarkedGroups(
  ledger: Ledger,
  marks: ReadonlySet<Mark>,
  names: GroupNames,
): Promise<MarkedGroups> {
  return {
    assigned: marks.has("assigned") ? await assignedGroups(ledger, names) : nothing.assigned,
    tagged: marks.has("tagged") ? await taggedGroups(ledger, names) : nothing.tagged,
    noted: marks.has("noted") ? await notedGroups(ledger, names) : nothing.noted,
  };
}

/** Groups, each with those it is one with, by the one they are part of. */
export function familiesOf(groups: readonly string[], names: GroupNames): readonly NamedGroup[] {
  const families = new Map<string, string[]>();
  for (const group of groups) families.set(names.standing(group), [names.standing(group)]);
  for (const [from, into] of names.merged) families.get(into)?.push(from);
  return [...families].map(([id, ids]) => ({ id, ids }));
}

async function assignedGroups(ledger: Ledger, names: GroupNames): Promise<readonly MarkedGroup[]> {
  const families = familiesOf(await groupsWithWords(ledger, "assigned"), names);
  const assignees = await assigneesOf(ledger, families);
  return families.flatMap(({ id, ids }) => {
    const name = assignees.get(id) ?? null;
    return name === null ? [] : [{ name, groups: ids }];
  });
}

async function taggedGroups(ledger: Ledger, names: GroupNames): Promise<readonly MarkedGroup[]> {
  const tagged = await groupsWithTags(ledger);
  return tagged.flatMap(({ tag: name, group }) => {
    const [family] = familiesOf([group], names);
    return family === undefined ? [] : [{ name, groups: family.ids }];
  });
}

async function notedGroups(ledger: Ledger, names: GroupNames): Promise<readonly string[]> {
  return familiesOf(await groupsWithWords(ledger, "noted"), names).flatMap(({ ids }) => ids);
}
