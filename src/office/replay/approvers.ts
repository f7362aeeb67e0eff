import { type Actor, scopeOf } from "../../domain/actor.ts";
import type { Queries } from "../../domain/database.ts";
import { isDemo } from "../../ledger/demo-mark.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { listPeople, type Person } from "../../ledger/people/people.ts";
import { listRoles } from "../../ledger/people/roles.ts";
import { isInvolved, isReplayWithin, readApprovals } from "../../ledger/read-replay.ts";
import type { ReplayApproval, ReplayRecord } from "../../ledger/replay-record.ts";
import { knownActor } from "../people/known-actor.ts";
import { standingOf } from "../people/standing.ts";
import { describeReason } from "./reasons.ts";
import type { ReplayParts } from "./replay-parts.ts";

type Parts = Pick<ReplayParts, "ledger" | "roles">;

export interface Approvers {
  /** Who could approve it: people who can sign in, with a role for it where its letters are, and no hand in it themselves. */
  readonly approvers: readonly string[];
  /** What stands in the way of the whole plan, said when it is made and not when somebody waits in vain. */
  readonly notices: readonly Notice[];
}

export interface Notice {
  readonly code: string;
  readonly sentence: string;
  readonly change: string;
}

const undecided: readonly ReplayRecord["state"][] = ["planned", "awaiting_approval"];

/** Empty where nobody has to approve any more, or at all. */
export async function approversOf({ ledger, roles }: Parts, record: ReplayRecord): Promise<Approvers> {
  const { state, approvalsNeeded, approverRoles } = record;
  if (approvalsNeeded === 0 || !undecided.includes(state)) return { approvers: [], notices: [] };
  const { database } = ledger;
  const [people, ownRoles, isMadeUp] = await Promise.all([
    listPeople(ledger),
    listRoles(ledger),
    isDemo(ledger, database),
  ]);
  const approvers: string[] = [];
  for (const { id, kind, roles: names } of people.filter((person) => isPresent(person, isMadeUp))) {
    const actor = { id, ...standingOf({ kind, names, ownRoles }, roles) };
    const mayApprove = actor.kind !== "agent" && (await holdsApproverRole(ledger, database, actor, record));
    if (mayApprove && !(await isInvolved(ledger, database, { replay: record.id, actor: id }))) approvers.push(id);
  }
  // An office that nobody signs in to is one at a terminal: whoever is there says who they are.
  if (people.length === 0 || approvers.length >= approvalsNeeded) return { approvers, notices: [] };
  const { code, sentence, change } = describeReason({ code: "approval.nobody", roles: approverRoles });
  return { approvers, notices: [{ code, sentence, change }] };
}

/** In a demonstration nobody has a password, and those who are made up say yes as well. */
function isPresent({ kind, hasPassword, hasIdentity, disabledAt }: Person, isMadeUp: boolean): boolean {
  if (disabledAt !== null || kind === "agent") return false;
  return isMadeUp || (kind === "human" && (hasPassword || hasIdentity));
}

/** A role counts where it is held: who is an administrator of one queue is none of another. */
export async function holdsApproverRole(
  ledger: Ledger,
  queries: Queries,
  actor: Actor,
  { id, approverRoles }: Pick<ReplayRecord, "id" | "approverRoles">,
): Promise<boolean> {
  for (const role of approverRoles.filter((each) => actor.roles.includes(each)))
    if (await isReplayWithin(ledger, queries, { replay: id, scope: scopeOf(actor, role) })) return true;
  return false;
}

/** An administrator of all queues that a replay is about. */
export function isAdminOf(
  ledger: Ledger,
  queries: Queries,
  actor: Actor,
  { id }: Pick<ReplayRecord, "id">,
): Promise<boolean> {
  return holdsApproverRole(ledger, queries, actor, { id, approverRoles: ["admin"] });
}

/** An approval, and whether whoever gave it could still give it. */
export interface StandingApproval extends ReplayApproval {
  readonly isEntitled: boolean;
}

/** What was said about a replay, in order. Whoever was shut out since, or lost the role for it, said it and counts no more. */
export async function standingApprovals(
  { ledger, roles }: Parts,
  queries: Queries,
  record: ReplayRecord,
): Promise<readonly StandingApproval[]> {
  const standing: StandingApproval[] = [];
  for (const approval of await readApprovals(ledger, queries, record.id)) {
    const actor = await knownActor(ledger, queries, { id: approval.actor, configured: roles });
    standing.push({ ...approval, isEntitled: await isEntitled(ledger, queries, actor, { approval, record }) });
  }
  return standing;
}

async function isEntitled(
  ledger: Ledger,
  queries: Queries,
  actor: Actor | null,
  { approval, record }: { readonly approval: ReplayApproval; readonly record: ReplayRecord },
): Promise<boolean> {
  if (actor === null) return true;
  if (actor.kind === "agent") return false;
  if (approval.brokeGlass) return isAdminOf(ledger, queries, actor, record);
  return holdsApproverRole(ledger, queries, actor, record);
}
