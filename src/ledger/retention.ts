import type { Actor } from "../domain/actor.ts";
import { bodyStoreNames } from "../domain/body-store.ts";
import type { Queries } from "../domain/database.ts";
import { hasCode } from "../domain/has-code.ts";
import { hexOf, idOfUuid, showId } from "../domain/ids.ts";
import { recordAction } from "./audit.ts";
import { forgetReleases, noteReleases } from "./key-releases.ts";
import type { Ledger } from "./ledger.ts";

export interface RetentionRequest {
  readonly actor: Actor;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How long letters are kept, in milliseconds. */
  readonly retentionMs: number;
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
const expiredAtOnce = 1_000;
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
  const weeks = await database.query<{ week: string }>(
    `select to_char(week, 'YYYY-MM-DD') as week from ${at}.weeks_before($1::timestamptz) as week`,
    [cutoff],
  );
  const toExpire = Number(letters.rows[0]?.n ?? 0);
  return {
    toExpire: Math.min(toExpire, countedAtMost),
    isAtLeast: toExpire > countedAtMost,
    weeks: weeks.rows.map(({ week }) => week),
  };
}

export interface RetentionResult {
  readonly expired: number;
  readonly dropped: readonly DroppedWeek[];
  /** Weeks that are past their time and stay for now, with the reason. */
  readonly kept: readonly { readonly week: string; readonly because: "in replay" | "busy" }[];
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
  let expired = 0;
  for (let step = await expireSome(ledger, request); step > 0; step = await expireSome(ledger, request))
    expired += step;
  await forgetReleases(ledger, ledger.database, request.now - request.retentionMs);
  const { weeks } = await retentionDue(ledger, request);
  const dropped: DroppedWeek[] = [];
  const kept: { week: string; because: "in replay" | "busy" }[] = [];
  for (const week of weeks) {
    const outcome = await dropWeek(ledger, request, week);
    if (typeof outcome === "string") kept.push({ week, because: outcome });
    else dropped.push(outcome);
  }
  return { expired, dropped, kept };
}

function cutoffOf(now: number, retentionMs: number): string {
  return new Date(now - retentionMs).toISOString();
}

async function expireSome(ledger: Ledger, { actor, now, retentionMs }: RetentionRequest): Promise<number> {
  const { at } = ledger;
  return ledger.database.transaction(async (transaction) => {
    const { rows } = await transaction.query<{ moved: readonly string[] }>(
      `select ${at}.move_letters(
         array(select ${at}.letters_past($1::timestamptz, $2)), array['open', 'returned', 'sent', 'in_doubt', 'in_replay'], 'expired'
       ) as moved`,
      [cutoffOf(now, retentionMs), expiredAtOnce],
    );
    const moved = [...(rows[0]?.moved ?? [])].map(idOfUuid).sort((a, b) => (hexOf(a) < hexOf(b) ? -1 : 1));
    await noteReleases(ledger, transaction, { letters: moved, because: "expired" });
    const [first, last] = [moved[0], moved.at(-1)];
    if (first === undefined || last === undefined) return 0;
    const details = { n: moved.length, first: showId("letter", first), last: showId("letter", last), retentionMs };
    await recordAction(ledger, transaction, { at: now, actor, action: "letters.expired", details });
    return moved.length;
  });
}

async function dropWeek(
  ledger: Ledger,
  { actor, now }: RetentionRequest,
  week: string,
): Promise<DroppedWeek | "in replay" | "busy"> {
  try {
    return await ledger.database.transaction(async (transaction) => {
      const { rows } = await transaction.query<{ gone: string; unreferenced: readonly string[] }>(
        `select gone, unreferenced from ${ledger.at}.drop_week($1::date)`,
        [week],
      );
      if (rows[0] === undefined) return "in replay";
      const letters = Number(rows[0].gone);
      const details = { week, letters };
      await recordAction(ledger, transaction, { at: now, actor, action: "letters.forgotten", details });
      return { week, letters, unreferenced: await unshared(ledger, transaction, rows[0].unreferenced) };
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
