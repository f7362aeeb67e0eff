import type { Queries } from "../domain/database.ts";
import { OfficeError } from "../domain/errors.ts";
import { hasCode } from "../domain/has-code.ts";
import type { Ledger } from "./ledger.ts";

/** What somebody said about groups, for what is here and for what comes later. Groups are UUIDs, as PostgreSQL writes them. */
export interface GroupChange {
  /** Counting from 1; changes hold in this order. */
  readonly version: number;
  /** Letters of `group` belong to `into`: all, those that fit a condition, or no more. */
  readonly kind: "merge" | "split" | "undo";
  readonly group: string;
  readonly into: string;
  /** Of a split: which letters go. */
  readonly condition: string | null;
  /** Of an undo: the version that holds no more. */
  readonly undoes: number | null;
  readonly reason: string | null;
  readonly actor: string;
  readonly at: Date;
}

/** All of them, in order. There are as many as people have made by hand. */
export async function readGroupChanges({ at }: Ledger, queries: Queries): Promise<readonly GroupChange[]> {
  const { rows } = await queries.query<GroupChange>(
    `select version, kind, group_id as "group", into_group_id as "into", condition, undoes, reason, actor, at
     from ${at}.group_changes order by version`,
    [],
  );
  return rows;
}

/** 0 while nobody has merged or split anything. */
export async function latestGrouping({ at }: Ledger, queries: Queries): Promise<number> {
  const { rows } = await queries.query<{ version: number }>(
    `select coalesce(max(version), 0) as version from ${at}.group_changes`,
    [],
  );
  return rows[0]?.version ?? 0;
}

const alreadyThere = "23505";

/** Versions are only added. Refuses a number that is taken: somebody else was quicker, and had not seen this change. */
export async function insertGroupChange(
  { at }: Ledger,
  queries: Queries,
  { version, kind, group, into, condition, undoes, reason, actor }: Omit<GroupChange, "at">,
): Promise<void> {
  try {
    await queries.query(
      `insert into ${at}.group_changes (version, kind, group_id, into_group_id, condition, undoes, reason, actor)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [version, kind, group, into, condition, undoes, reason, actor],
    );
  } catch (error) {
    if (!hasCode(error, alreadyThere)) throw error;
    throw new OfficeError(
      "GROUPS_CHANGED",
      "Somebody else merged or split groups meanwhile. Look at `dlo groups history`, then try again.",
      { cause: error },
    );
  }
}

/** Merges and splits that nobody took back, in order. */
export function changesInForce(changes: readonly GroupChange[]): readonly GroupChange[] {
  const undone = new Set(changes.map(({ undoes }) => undoes));
  return changes.filter(({ kind, version }) => kind !== "undo" && !undone.has(version));
}

/** The group that a group is part of by now; itself, where it was not merged. */
export function mergedInto(inForce: readonly GroupChange[], group: string): string {
  let now = group;
  for (const change of inForce) if (change.kind === "merge" && change.group === now) now = change.into;
  return now;
}

/** Which groups are part of others by now: each with the one it is part of. */
export function mergedGroups(inForce: readonly GroupChange[]): ReadonlyMap<string, string> {
  const merges = inForce.filter(({ kind }) => kind === "merge");
  return new Map(merges.map(({ group }) => [group, mergedInto(inForce, group)]));
}
