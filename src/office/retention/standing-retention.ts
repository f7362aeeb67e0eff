import type { Actor } from "../../domain/actor.ts";
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
  const { ledger } = parts;
  let turn = await takeRetentionTurn(ledger, leaseMs);
  if (turn === null) return false;
  const goesOn = async () => {
    turn = turn && (await keepRetentionTurn(ledger, turn, leaseMs));
    return turn !== null;
  };
  try {
    await runRetention(parts, { actor, now: turn.now, signal, goesOn });
  } finally {
    if (turn !== null) await leaveRetentionTurn(ledger, turn);
  }
  return true;
}
