import type { Actor } from "../../domain/actor.ts";
import { hashInRef } from "../../domain/body-store.ts";
import { pause } from "../../domain/clock.ts";
import { applyRetention, type RetentionResult } from "../../ledger/retention.ts";
import { noteRetentionRun } from "../../ledger/retention-turn.ts";
import type { Office } from "../operations/operation.ts";

/** How often letters past their time are looked for, in milliseconds. */
export const retentionEveryMs = 3_600_000;

export type RetentionParts = Pick<Office, "ledger" | "bodies" | "clock" | "retentionMs">;

export interface RetentionRunRequest {
  readonly actor: Actor;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly signal?: AbortSignal;
  /** Asked between two transactions; false ends the run. @default always goes on */
  readonly goesOn?: () => Promise<boolean>;
}

/** Bounds of a pause between two transactions, in milliseconds. */
const pauses = { least: 20, most: 2_000 };

/**
 * Expires letters past their time and removes whole weeks, and notes what it came to. It rests as long as it works, so that intake has the
 * database to itself half of the time at least.
 */
export async function runRetention(
  { ledger, bodies, clock, retentionMs }: RetentionParts,
  { actor, now, signal, goesOn = async () => true }: RetentionRunRequest,
): Promise<RetentionResult> {
  let began = clock.now();
  const between = async () => {
    const tookMs = clock.now() - began;
    await pause(clock, Math.min(pauses.most, Math.max(pauses.least, tookMs)), signal);
    if (signal?.aborted || !(await goesOn())) return false;
    began = clock.now();
    return true;
  };
  const result = await applyRetention(ledger, { actor, now, retentionMs, between });
  for (const ref of result.dropped.flatMap(({ unreferenced }) => unreferenced)) await bodies?.forget(hashInRef(ref));
  const { expired, dropped, kept } = result;
  const letters = dropped.reduce((sum, week) => sum + week.letters, 0);
  if (result.isComplete)
    await noteRetentionRun(ledger, { by: actor.id, expired, weeks: dropped.length, letters, kept }, retentionEveryMs);
  return result;
}
