import type { Actor } from "../../domain/actor.ts";
import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { idOfUuid, makeId, readId, showId, uuidOf } from "../../domain/ids.ts";
import { recordAction } from "../../ledger/audit.ts";
import {
  changesInForce,
  type GroupChange,
  insertGroupChange,
  mergedGroups,
  mergedInto,
  readGroupChanges,
} from "../../ledger/group-changes.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { copyGroup } from "../../ledger/regrouping.ts";
import { type GroupSummary, readGroup } from "../../ledger/search/find-groups.ts";
import { copyGroupTags } from "../../ledger/tags.ts";
import { type Condition, ConditionProblem, compileCondition } from "../../triage/conditions/condition.ts";
import { namedGroup } from "../attend/attend-group.ts";
import type { LettersAtHand } from "../policy/judge-anew.ts";

export interface ChangingGroups extends LettersAtHand {
  readonly newId: () => string;
}

interface Said {
  readonly reason: string | null;
}

/** That letters of one group belong to another one, those that come later too. Gives the change. */
export async function mergeGroups(
  office: ChangingGroups,
  actor: Actor,
  { id, into, reason }: Said & { readonly id: string; readonly into: string },
): Promise<GroupChange> {
  const [from, to] = await groupsToMerge(office, { id, into });
  return addChange(office, actor, {
    prepare: async () => ({ kind: "merge", group: uuidOfGroup(from), into: uuidOfGroup(to), condition: null, reason }),
  });
}

/** The two groups, as they are by now; refuses what cannot be one group. */
export async function groupsToMerge(
  { ledger, clock }: LettersAtHand,
  { id, into }: { readonly id: string; readonly into: string },
): Promise<readonly [from: GroupSummary, to: GroupSummary]> {
  const from = await readGroup(ledger, id, clock.now());
  const to = await readGroup(ledger, into, clock.now());
  if (from.id === to.id) throw refused(`${id} and ${into} are one group already.`);
  if (from.source !== to.source || from.queue !== to.queue) {
    throw refused(
      `${from.id} is of ${from.source}/${from.queue}, and ${to.id} of ${to.source}/${to.queue}: ` +
        "a group is of one queue, since its letters go back together. Merge groups of the same queue.",
    );
  }
  return [from, to];
}

export interface Split extends Said {
  readonly id: string;
  /** In CEL: which letters go. */
  readonly when: string;
  /** What the new group is called; null for what its letters have in common. */
  readonly title: string | null;
}

/** That letters of a group that fit a condition are a group of their own, those that come later too. */
export async function splitGroup(office: ChangingGroups, actor: Actor, split: Split): Promise<GroupChange> {
  const { ledger, clock, newId } = office;
  const { text } = conditionOf(split.when);
  const group = await readGroup(ledger, split.id, clock.now());
  const id = makeId(clock.now(), newId());
  const title = split.title ?? `${group.title} [${text}]`;
  return addChange(office, actor, {
    async prepare(transaction) {
      const from = uuidOfGroup(group);
      await copyGroup(ledger, transaction, { from, id, title: title.slice(0, longestTitle) });
      // What was kept out of searches by a tag of the group stays so where its letters go.
      await copyGroupTags(ledger, transaction, { from: namedGroup(group).ids, to: uuidOf(id) });
      return { kind: "split", group: from, into: uuidOf(id), condition: text, reason: split.reason };
    },
  });
}

const longestTitle = 500;

/** The condition of a split, ready. */
export function conditionOf(when: string): Condition {
  try {
    return compileCondition(when);
  } catch (error) {
    if (!(error instanceof ConditionProblem)) throw error;
    throw refused(`\`when\` ${error.message}.`);
  }
}

/** That a merge or split holds no more: letters go back to where they were without it. */
export async function undoChange(
  office: ChangingGroups,
  actor: Actor,
  { version, reason }: Said & { readonly version: number },
): Promise<GroupChange> {
  const { ledger } = office;
  return addChange(office, actor, {
    async prepare(transaction, changes) {
      const change = changes.find((each) => each.version === version && each.kind !== "undo");
      if (change === undefined) {
        throw new OfficeError(
          "GROUP_CHANGE_NOT_FOUND",
          `There is no merge or split of version ${version}. See \`dlo groups history\`.`,
          { details: { version } },
        );
      }
      const undone = changes.find(({ undoes }) => undoes === version);
      if (undone !== undefined) {
        const message = `Version ${version} was taken back already, by version ${undone.version}.`;
        throw new OfficeError("GROUPS_CHANGED", message, { details: { version, by: undone.version } });
      }
      const { group, into, condition } = change;
      // Letters that go back take along what keeps them out of searches.
      await copyGroupTags(ledger, transaction, { from: familyOf(changesInForce(changes), into), to: group });
      return { kind: "undo", group, into, condition, reason, undoes: version };
    },
  });
}

/** A group and all that it is one with. */
function familyOf(inForce: readonly GroupChange[], group: string): readonly string[] {
  const standing = mergedInto(inForce, group);
  return [standing, ...[...mergedGroups(inForce)].flatMap(([from, into]) => (into === standing ? [from] : []))];
}

type PreparedChange = Pick<GroupChange, "kind" | "group" | "into" | "condition" | "reason"> & {
  readonly undoes?: number;
};

interface Prepared {
  /** In the transaction that adds the change, with those before it. */
  readonly prepare: (transaction: Queries, changes: readonly GroupChange[]) => Promise<PreparedChange>;
}

async function addChange({ ledger, clock }: ChangingGroups, actor: Actor, { prepare }: Prepared): Promise<GroupChange> {
  const now = clock.now();
  return ledger.database.transaction(async (transaction) => {
    const changes = await readGroupChanges(ledger, transaction);
    const prepared = await prepare(transaction, changes);
    requireStanding(changes, prepared);
    const version = (changes.at(-1)?.version ?? 0) + 1;
    const change = { undoes: null, ...prepared, version, actor: actor.id };
    await insertGroupChange(ledger, transaction, change);
    await remember(ledger, transaction, { actor, now, change });
    return { ...change, at: new Date(now) };
  });
}

/** Another one may have merged one of the groups since they were read: then this is not what was meant. */
function requireStanding(changes: readonly GroupChange[], { kind, group, into }: PreparedChange): void {
  const inForce = changesInForce(changes);
  const isStanding = kind === "undo" || [group, into].every((each) => mergedInto(inForce, each) === each);
  if (isStanding) return;
  throw new OfficeError(
    "GROUPS_CHANGED",
    "Somebody else merged one of these groups meanwhile. Look at `dlo groups history`, then try again.",
  );
}

interface Remembered {
  readonly actor: Actor;
  readonly now: number;
  readonly change: Omit<GroupChange, "at">;
}

async function remember(ledger: Ledger, transaction: Queries, { actor, now, change }: Remembered): Promise<void> {
  const { version, kind, group, into, condition, undoes, reason } = change;
  const groups = { group: groupOfUuid(group), into: groupOfUuid(into) };
  await recordAction(ledger, transaction, {
    ...{ at: now, actor, action: actions[kind] },
    details: { version, ...groups, when: condition, undoes, reason },
  });
}

const actions = { merge: "groups.merged", split: "groups.split", undo: "groups.undone" } as const;

function uuidOfGroup({ id }: Pick<GroupSummary, "id">): string {
  return uuidOf(readId("group", id));
}

export function groupOfUuid(uuid: string): string {
  return showId("group", idOfUuid(uuid));
}

function refused(message: string): OfficeError {
  return new OfficeError("INVALID_OPTION", message);
}
