import type { Actor } from "../domain/actor.ts";
import type { Queries } from "../domain/database.ts";
import { OfficeError } from "../domain/errors.ts";
import { idOfUuid, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import { Parameters } from "./search/parameters.ts";
import { withinScope } from "./search/within-scope.ts";

/** One drain of one queue. Its lease goes by the database's clock: a process that slept past it has lost it for good. */
export interface DrainSession {
  readonly id: Uint8Array;
  readonly source: string;
  readonly queue: string;
}

export async function beginSession(
  { database, at }: Ledger,
  { id, source, queue }: DrainSession,
  { actor, leaseMs }: { readonly actor: Actor; readonly leaseMs: number },
): Promise<void> {
  await database.query(
    `insert into ${at}.drain_sessions (id, source, queue, actor, lease_until)
     values ($1, $2, $3, $4, ${at}.clock() + $5::float8 * interval '1 ms') on conflict do nothing`,
    [uuidOf(id), source, queue, actor.id, leaseMs],
  );
}

/** Keeps it for another `leaseMs`. False: it lapsed, and others may have taken it for dead. */
export async function extendSession({ database, at }: Ledger, id: Uint8Array, leaseMs: number): Promise<boolean> {
  const { count } = await database.query(
    `update ${at}.drain_sessions set lease_until = ${at}.clock() + $2::float8 * interval '1 ms'
     where id = $1 and ended_at is null and lease_until > ${at}.clock()`,
    [uuidOf(id), leaseMs],
  );
  return count > 0;
}

/** From now on nothing can be committed in its name. Waits for what is being committed. */
export async function endSession({ database, at }: Ledger, id: Uint8Array): Promise<void> {
  await database.query(`update ${at}.drain_sessions set ended_at = ${at}.clock() where id = $1 and ended_at is null`, [
    uuidOf(id),
  ]);
}

/** Holds the session for the transaction: whoever would end it waits until this is committed, and then sees all of it. */
export async function requireSession({ at }: Ledger, transaction: Queries, id: Uint8Array): Promise<void> {
  const { count } = await transaction.query(
    `select from ${at}.drain_sessions where id = $1 and ended_at is null and lease_until > ${at}.clock() for share`,
    [uuidOf(id)],
  );
  if (count > 0) return;
  throw new OfficeError(
    "DRAIN_LOST",
    "This drain stood still for longer than its lease, and others may have taken over. Nothing was acknowledged: what it had in hand comes again.",
    { details: { session: uuidOf(id) } },
  );
}

/** Whether a drain of that queue is at work, in whatever process. */
export async function isBeingDrained(
  { at }: Ledger,
  queries: Queries,
  { source, queue }: Omit<DrainSession, "id">,
): Promise<boolean> {
  const { count } = await queries.query(
    `select from ${at}.drain_sessions
     where source = $1 and queue = $2 and ended_at is null and lease_until > ${at}.clock() limit 1`,
    [source, queue],
  );
  return count > 0;
}

/** Dead-letter queues that some process drains at this moment. */
export async function listBeingDrained(ledger: Ledger): Promise<readonly Omit<DrainSession, "id">[]> {
  const { database, at } = ledger;
  const parameters = new Parameters();
  const { rows } = await database.query<Omit<DrainSession, "id">>(
    `select distinct d.source, d.queue from ${at}.drain_sessions d
     where d.ended_at is null and d.lease_until > ${at}.clock() and ${withinScope(ledger, parameters, "d")} order by 1, 2`,
    parameters.values,
  );
  return rows;
}

/** What became of a second delivery: the letter it is, or whether it is to be asked about again. */
export type Redelivery =
  | { readonly kind: "merged"; readonly letterId: Uint8Array }
  | { readonly kind: "new" | "undecided" };

/**
 * Finds, for each digest, a letter that an ended drain committed and did not live to acknowledge; each is found once. While
 * the drain that has it may still live, nothing can be said.
 */
export async function resolveRedelivered(
  { at }: Ledger,
  transaction: Queries,
  { session, digests }: { readonly session: DrainSession; readonly digests: readonly Uint8Array[] },
): Promise<readonly Redelivery[]> {
  const { rows } = await transaction.query<{ outcome: Redelivery["kind"]; letter_id: string | null }>(
    `select outcome, letter_id from ${at}.resolve_redelivered($1, $2, $3, $4::bytea, $5::integer)`,
    [uuidOf(session.id), session.source, session.queue, Buffer.concat(digests), digests.length],
  );
  return rows.map(({ outcome, letter_id: letterId }) =>
    outcome === "merged" && letterId !== null
      ? { kind: "merged", letterId: idOfUuid(letterId) }
      : { kind: outcome === "undecided" ? outcome : "new" },
  );
}
