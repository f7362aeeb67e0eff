import type { Actor } from "../domain/actor.ts";
import { bodyStoreNames } from "../domain/body-store.ts";
import type { Queries } from "../domain/database.ts";
import { hasCode } from "../domain/has-code.ts";
import { hexOf, idOfUuid, showId } from "../domain/ids.ts";
import { recordAction } from "./audit.ts";
import { forgetReleases, noteReleases } from "./key-releases.ts";
import type { Ledger } from "./ledger.ts";
import { countRetired, type KeptWeek } from "./retention-turn.ts";
import { forgetTagChanges } from "./tags.ts";

export interface RetentionRequest {
  readonly actor: Actor;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How long letters are kept, in milliseconds. */
  readonly retentionMs: number;
  /** Called between two transactions; false ends the run where it is. @default goes on at once */
  readonly between?: () => Promise<boolean>;
}

/** What retention has to do. */
export interface RetentionDue {
  /** Letters past their time that nobody has decided about. */
  readonly toExpire: number;
  /** There are more than were counted. */
  readonly isAtLeast: boolean;
  /** First days of the weeks that are past their time as a whole. */
  readonly weeks: readonly string[];
}

const countedAtMost = 100_000;
/** What a transaction changes at most: intake waits for none of its rows, and for its commit a few milliseconds. */
const changedAtOnce = 500;
const lockTimeout = "55P03";

export async function retentionDue(
  { database, at }: Ledger,
  { now, retentionMs }: Pick<RetentionRequest, "now" | "retentionMs">,
): Promise<RetentionDue> {
  const cutoff = cutoffOf(now, retentionMs);
  const letters = await database.query<{ n: string }>(
    `select count(*) as n from ${at}.letters_past($1::timestamptz, $2) as id`,
    [cutoff, countedAtMost + 1],
  );
  const toExpire = Number(letters.rows[0]?.n ?? 0);
  return {
    toExpire: Math.min(toExpire, countedAtMost),
    isAtLeast: toExpire > countedAtMost,
    weeks: await weeksPast({ database, at }, { now, retentionMs }),
  };
}

async function weeksPast(
  { database, at }: Pick<Ledger, "database" | "at">,
  { now, retentionMs }: Pick<RetentionRequest, "now" | "retentionMs">,
): Promise<readonly string[]> {
  const { rows } = await database.query<{ week: string }>(
    `select to_char(week, 'YYYY-MM-DD') as week from ${at}.weeks_before($1::timestamptz) as week`,
    [cutoffOf(now, retentionMs)],
  );
  return rows.map(({ week }) => week);
}

export interface RetentionResult {
  readonly expired: number;
  readonly dropped: readonly DroppedWeek[];
  /** Weeks that are past their time and stay for now, with the reason. */
  readonly kept: readonly KeptWeek[];
  /** It went through all that is past its time. */
  readonly isComplete: boolean;
}

export interface DroppedWeek {
  /** Its first day. */
  readonly week: string;
  readonly letters: number;
  /** References to bodies that no letter has any more. */
  readonly unreferenced: readonly string[];
}

/**
 * Lets go of what is past its time. Nothing goes silently: letters nobody decided about are expired first, in audited steps,
 * and each week that goes is an entry of the audit log in the transaction that takes it. It may be stopped and begun anew.
 */
export async function applyRetention(ledger: Ledger, request: RetentionRequest): Promise<RetentionResult> {
  const { between = async () => true } = request;
  let expired = 0;
  const dropped: DroppedWeek[] = [];
  const kept: KeptWeek[] = [];
  const result = (isComplete: boolean) => ({ expired, dropped, kept, isComplete });
  for (let behind: string | null = beforeAll; behind !== null; ) {
    const step: Expired = await expireSome(ledger, request, behind);
    expired += step.letters.length;
    behind = step.last;
    if (behind !== null && !(await between())) return result(false);
  }
  for (const week of await weeksPast(ledger, request)) {
    if (!(await noteReleasesOfWeek(ledger, week, between))) return result(false);
    const outcome = await dropWeek(ledger, request, week);
    if (typeof outcome === "string") kept.push({ week, because: outcome });
    else if (outcome !== null) dropped.push(outcome);
    if (!(await between())) return result(false);
  }
  await forgetReleases(ledger, ledger.database, request.now - request.retentionMs);
  return result(true);
}

/** Before every letter. */
const beforeAll = "00000000-0000-0000-0000-000000000000";

interface Expired {
  readonly letters: readonly Uint8Array[];
  /** The last that was looked at, as a UUID; null where there is none. */
  readonly last: string | null;
}

function cutoffOf(now: number, retentionMs: number): string {
  return new Date(now - retentionMs).toISOString();
}

/** The only way to `expired`: some letters, with all that follows from it, in one transaction. */
async function expireSome(
  ledger: Ledger,
  { actor, now, retentionMs }: RetentionRequest,
  behind: string,
): Promise<Expired> {
  const { at } = ledger;
  return ledger.database.transaction(async (transaction) => {
    const { rows } = await transaction.query<{ last: string | null; moved: readonly string[] }>(
      `with past as materialized (select array(select ${at}.letters_past($1::timestamptz, $2, $3::uuid)) as ids)
       select ids[cardinality(ids)] as last,
         ${at}.move_letters(ids, array['open', 'returned', 'sent', 'in_doubt', 'in_replay'], 'expired') as moved from past`,
      [cutoffOf(now, retentionMs), changedAtOnce, behind],
    );
    const seen = rows[0]?.last ?? null;
    const moved = [...(rows[0]?.moved ?? [])].map(idOfUuid).sort((a, b) => (hexOf(a) < hexOf(b) ? -1 : 1));
    await noteReleases(ledger, transaction, { letters: moved, because: "expired" });
    const [first, last] = [moved[0], moved.at(-1)];
    if (first === undefined || last === undefined) return { letters: [], last: seen };
    const details = { n: moved.length, first: showId("letter", first), last: showId("letter", last), retentionMs };
    await countRetired(ledger, transaction, { expired: moved.length });
    await recordAction(ledger, transaction, { at: now, actor, action: "letters.expired", details });
    return { letters: moved, last: seen };
  });
}

/**
 * Whoever escalated, undrained or redirected a letter did not release its place. With the letter its number would be gone, and its key
 * blocked for good. False where the run ends here; the next one goes on.
 */
async function noteReleasesOfWeek(ledger: Ledger, week: string, between: () => Promise<boolean>): Promise<boolean> {
  for (let behind: string | null = beforeAll; ; ) {
    behind = await ledger.database.transaction(async (transaction) => {
      const { rows } = await transaction.query<{ id: string }>(
        `select id from ${ledger.at}.unreleased_letters($1::date, $2::uuid, $3) as id`,
        [week, behind, changedAtOnce],
      );
      await noteReleases(ledger, transaction, { letters: rows.map(({ id }) => idOfUuid(id)), because: "expired" });
      return rows.at(-1)?.id ?? null;
    });
    if (behind === null) return true;
    if (!(await between())) return false;
  }
}

/** Null where another run has removed it. */
async function dropWeek(
  ledger: Ledger,
  { actor, now }: RetentionRequest,
  week: string,
): Promise<DroppedWeek | KeptWeek["because"] | null> {
  try {
    return await ledger.database.transaction(async (transaction) => {
      const { rows } = await transaction.query<{ gone: string | null; unreferenced: readonly string[] | null }>(
        `select gone, unreferenced from ${ledger.at}.drop_week($1::date)`,
        [week],
      );
      const [row] = rows;
      if (row === undefined) return "in replay";
      if (row.gone === null) return null;
      const letters = Number(row.gone);
      await forgetTagChanges(ledger, transaction, week);
      const details = { week, letters };
      await countRetired(ledger, transaction, { letters });
      await recordAction(ledger, transaction, { at: now, actor, action: "letters.forgotten", details });
      return { week, letters, unreferenced: await unshared(ledger, transaction, row.unreferenced ?? []) };
    });
  } catch (error) {
    if (hasCode(error, lockTimeout)) return "busy";
    throw error;
  }
}

/** Without those whose bytes another letter refers to in another store: after a change of store one body stands for both. */
async function unshared({ at }: Ledger, queries: Queries, refs: readonly string[]): Promise<readonly string[]> {
  if (refs.length === 0) return [];
  const { rows } = await queries.query<{ ref: string }>(
    `select r.ref from unnest($1::text[]) as r (ref) where not exists (
       select from unnest($2::text[]) as s (name) join ${at}.bodies b on b.body_ref = s.name || substr(r.ref, strpos(r.ref, ':')))`,
    [refs, bodyStoreNames],
  );
  return rows.map(({ ref }) => ref);
}
