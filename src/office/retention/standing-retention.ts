import type { Actor } from "../../domain/actor.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { RetentionResult } from "../../ledger/retention.ts";
import { keepRetentionTurn, leaveRetentionTurn, takeRetentionTurn } from "../../ledger/retention-turn.ts";
import { type Chore, chore } from "../chore.ts";
import { type RetentionParts, runRetention } from "./run-retention.ts";

/** How often some process looks whether a run is due. */
const lookMs = 30_000;
/** Another process takes over what a dead one had begun when this is over. */
const leaseMs = 60_000;

/** Runs retention by the configured time, again and again, in one of the processes at a time. */
export function standingRetention(parts: RetentionParts, actor: Actor): Chore {
  const act = (signal: AbortSignal) => runWhereDue(parts, actor, signal);
  return chore({ name: "retention", everyMs: lookMs, clock: parts.clock, act });
}

/** True where it was this process's turn. */
export async function runWhereDue(parts: RetentionParts, actor: Actor, signal: AbortSignal): Promise<boolean> {
  return (await runInTurn(parts, actor, { signal })) !== null;
}

/** Runs it now, due or not. Refused while another process runs it. */
export async function runAtOnce(parts: RetentionParts, actor: Actor): Promise<RetentionResult> {
  const result = await runInTurn(parts, actor, { isForced: true });
  if (result !== null) return result;
  throw new OfficeError(
    "RETENTION_RUNNING",
    "Retention is running already, so it was not started a second time. Try again when that run has ended.",
    { details: { hint: "`dlo retention show` says when it has." } },
  );
}

interface TurnOptions {
  readonly signal?: AbortSignal;
  /** @default only where a run is due */
  readonly isForced?: boolean;
}

/** Null where another process has the turn, or no run is due. */
async function runInTurn(
  parts: RetentionParts,
  actor: Actor,
  { signal, isForced }: TurnOptions,
): Promise<RetentionResult | null> {
  const { ledger } = parts;
  let turn = await takeRetentionTurn(ledger, leaseMs, { isForced });
  if (turn === null) return null;
  const goesOn = async () => {
    turn = turn && (await keepRetentionTurn(ledger, turn, leaseMs));
    return turn !== null;
  };
  try {
    return await runRetention(parts, { actor, now: turn.now, goesOn, ...(signal && { signal }) });
  } finally {
    if (turn !== null) await leaveRetentionTurn(ledger, turn);
  }
}
