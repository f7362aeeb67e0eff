import { findTerm } from "../../domain/query/find-term.ts";
import type { Query } from "../../domain/query/query.ts";
import { changesInForce, mergedGroups, readGroupChanges } from "../group-changes.ts";
import type { Ledger } from "../ledger.ts";
import { marksAskedFor } from "./asked-marks.ts";

/** Which groups are part of others by now. Groups are UUIDs. */
export interface GroupNames {
  /** Each group that was merged, with the one it is part of. */
  readonly merged: ReadonlyMap<string, string>;
  /** The group that a group is part of; itself, where it was not merged. */
  standing(group: string): string;
  /** Where letters of it may be: more than one while they are on their way. */
  holding(group: string): readonly string[];
}

/** While nobody has merged anything. */
export const noGroupNames: GroupNames = { merged: new Map(), standing: (group) => group, holding: (group) => [group] };

export async function readGroupNames(ledger: Ledger): Promise<GroupNames> {
  const { database, at } = ledger;
  const changes = await readGroupChanges(ledger, database);
  const merged = mergedGroups(changesInForce(changes));
  if (merged.size === 0) return noGroupNames;
  const { rows } = await database.query<{ placed_version: number }>(`select placed_version from ${at}.regrouping`, []);
  const isMoving = (rows[0]?.placed_version ?? 0) < (changes.at(-1)?.version ?? 0);
  const standing = (group: string) => merged.get(group) ?? group;
  return {
    ...{ merged, standing },
    holding(group) {
      const now = standing(group);
      return isMoving ? [now, ...[...merged].filter(([, into]) => into === now).map(([from]) => from)] : [now];
    },
  };
}

/** Whether a search asks for a group at all: most do not, and need not know which are merged. */
export function namesGroups(query: Query): boolean {
  return findTerm(query, ["group", "id"]) !== undefined || marksAskedFor(query).size > 0;
}
