import type { Actor } from "../../domain/actor.ts";
import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { showId } from "../../domain/ids.ts";
import { showCount } from "../../domain/show-count.ts";
import { endExemption, exemptStartsOf, lockDayOf, noteExemptStart, queuesToSend } from "../../ledger/exempt-starts.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { ReplayRecord, ReplayState } from "../../ledger/replay-record.ts";
import { knownActor } from "../people/known-actor.ts";
import type { ReplayParts } from "./replay-parts.ts";

/** Letters of one queue in a plan that needs no approval, and what one person started there without any in the last 24 hours. */
export interface QueueExemption {
  readonly source: string;
  readonly queue: string;
  readonly n: number;
  readonly replayed: number;
  readonly limit: number;
}

/** What a person has left of a day, for a plan that needs no approval as long as it fits into that. */
export interface ExemptionState {
  /** Null: an agent planned it, so whoever starts it is not known yet. */
  readonly person: string | null;
  readonly queues: readonly QueueExemption[];
  /** The first queue for which the day has not enough left; null where it fits. */
  readonly exceeded: QueueExemption | null;
}

/** Null where the plan needs its approvals in any case, or none whatever its size. */
async function exemptionState(
  ledger: Ledger,
  queries: Queries,
  { id, exemption }: Pick<ReplayRecord, "id" | "exemption">,
  person: string | null,
): Promise<ExemptionState | null> {
  if (exemption === null) return null;
  const sent = await queuesToSend(ledger, queries, id);
  const started = person === null ? [] : await exemptStartsOf(ledger, queries, person);
  const queues = sent.flatMap(({ source, queue, n }) => {
    const isHere = (each: { readonly source: string; readonly queue: string }) =>
      each.source === source && each.queue === queue;
    const limit = exemption.queues.find(isHere)?.perDay;
    return limit === undefined ? [] : [{ source, queue, n, replayed: started.find(isHere)?.n ?? 0, limit }];
  });
  return { person, queues, exceeded: queues.find(({ n, replayed, limit }) => replayed + n > limit) ?? null };
}

/**
 * As it stands for whoever planned it, while it was not started: pages promise nothing that a start would refuse. An agent acts for
 * whoever starts what it planned, and that is not known before.
 */
export async function plannersExemption(
  { ledger, roles }: Pick<ReplayParts, "ledger" | "roles">,
  record: ReplayRecord,
): Promise<ExemptionState | null> {
  const { state, requestedBy } = record;
  if (record.exemption === null || !notStarted.includes(state)) return null;
  const { database } = ledger;
  const known = await knownActor(ledger, database, { id: requestedBy, configured: roles });
  return exemptionState(ledger, database, record, known?.kind === "agent" ? null : requestedBy);
}

const notStarted: readonly ReplayState[] = ["planned", "awaiting_approval", "approved"];

/** The record as it counts once its exemption is of no use: with the approvals that it needs then. */
export function withoutExemption(record: ReplayRecord): ReplayRecord {
  const { exemption } = record;
  if (exemption === null) return record;
  return { ...record, isExemptionOver: true, approvalsNeeded: exemption.needed, approverRoles: exemption.roles };
}

/** Takes the letters of a plan that is started out of its person's day, or refuses them. Whoever starts another at once waits. */
export async function takeOfDay(ledger: Ledger, queries: Queries, record: ReplayRecord, { id }: Actor): Promise<void> {
  if (record.exemption === null || record.isExemptionOver) return;
  await lockDayOf(ledger, queries, id);
  const found = await exemptionState(ledger, queries, record, id);
  if (found === null) return;
  if (found.exceeded !== null) throw dayOver(record, found.exceeded);
  await noteExemptStart(ledger, queries, { replay: record.id, person: id, queues: found.queues });
}

/** Whether a plan whose approval is asked for needs it after all, since the day of whoever asks has not enough left; if so it is noted. */
export async function isExemptionOver(
  ledger: Ledger,
  queries: Queries,
  record: ReplayRecord,
  { id }: Actor,
): Promise<boolean> {
  if (record.isExemptionOver) return false;
  const exceeded = (await exemptionState(ledger, queries, record, id))?.exceeded ?? null;
  if (exceeded === null) return false;
  requireRoles(record);
  await endExemption(ledger, queries, record.id);
  return true;
}

function requireRoles({ exemption }: ReplayRecord): void {
  if (exemption === null || exemption.roles.length > 0) return;
  const text = "No role may approve all of these letters. Plan them apart, by queue or by category.";
  throw new OfficeError("APPROVAL_REFUSED", text);
}

function dayOver({ id }: ReplayRecord, exceeded: QueueExemption): OfficeError {
  const text = `You ${dayInWords(exceeded)} Request approval: \`dlo replay ask ${showId("replay", id)} --reason '…'\`.`;
  return new OfficeError("APPROVAL_REFUSED", text, { details: { ...exceeded } });
}

/** Without its subject: who it is about depends on who reads it. */
export function dayInWords({ replayed, queue, limit, n }: QueueExemption): string {
  const more = replayed < limit ? ` This plan has ${showCount(n, "letter")} more.` : "";
  return `replayed ${showCount(replayed, "letter")} of ${queue} without approval today. The limit is ${limit}.${more}`;
}

/** What a plan page says of a day that has not enough left, until the plan is started. */
export function dayNotices(
  state: ExemptionState | null,
  { isExemptionOver: isAsked }: Pick<ReplayRecord, "isExemptionOver">,
): readonly { readonly code: string; readonly sentence: string; readonly change: string }[] {
  if (state === null || (state.exceeded === null && !isAsked)) return [];
  const person = state.person ?? "The user who starts it";
  const sentence =
    state.exceeded === null
      ? `${person} had replayed too much of a day without approval when this one was requested.`
      : `${person} ${dayInWords(state.exceeded)}`;
  const change = isAsked
    ? "This plan needs its approval, also when the day is over."
    : "Request approval, or wait until less was replayed in the last 24 hours.";
  return [{ code: "approval.day_limit", sentence, change }];
}
