import type { Actor } from "../../domain/actor.ts";
import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { recordAction } from "../../ledger/audit.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { listReplays } from "../../ledger/read-replay.ts";
import { moveReplay } from "../../ledger/replay-moves.ts";
import { noteRelease, noteStop, readStop } from "../../ledger/stopped-sending.ts";
import { changeReplay, type GoverningParts, requireReason, type Said } from "./change-replay.ts";

const underWay = ["running", "settling"] as const;

/**
 * The big red button: nothing starts or goes on until somebody releases it, and everything that runs is paused. In that
 * order, so that none is let run in between. Gives those it paused.
 */
export async function stopSending(parts: GoverningParts, actor: Actor, reason: string): Promise<readonly Uint8Array[]> {
  const { ledger, host } = parts;
  await ledger.database.transaction(async (transaction) => {
    await noteStop(ledger, transaction, { by: actor.id, reason });
    const details = { reason, loud: true };
    await recordAction(ledger, transaction, { at: host.clock.now(), actor, action: "sending.stopped", details });
  });
  return pauseAll(parts, actor, reason);
}

const page = 200;

/** One that cannot be paused keeps no other from it, and is told of at the end: it pauses itself before its next letter. */
async function pauseAll(parts: GoverningParts, actor: Actor, reason: string): Promise<readonly Uint8Array[]> {
  const paused: Uint8Array[] = [];
  const failures: unknown[] = [];
  let after: Uint8Array | null = null;
  do {
    const running = await listReplays(parts.ledger, { states: underWay, limit: page, after });
    for (const { id } of running) {
      const isPaused = await pauseOne(parts, actor, { replay: id, reason }).catch((error: unknown) => {
        failures.push(error);
        return false;
      });
      if (isPaused) paused.push(id);
    }
    after = running[page - 1]?.id ?? null;
  } while (after !== null);
  if (failures.length > 0) throw failures[0];
  return paused;
}

/** False for one that has ended in this moment, which is as good as paused. */
async function pauseOne(parts: GoverningParts, actor: Actor, { replay, reason }: Said): Promise<boolean> {
  let moved = false;
  await changeReplay(parts, actor, { replay, action: "replay.paused", details: { reason } }, async (queries) => {
    moved = await moveReplay(parts.ledger, queries, { id: replay, from: underWay, to: "paused" });
  });
  return moved;
}

/** Replays may be started and resumed again. None goes on by itself: each is looked at by whoever resumes it. */
export async function releaseSending({ ledger, host }: GoverningParts, actor: Actor, reason: string): Promise<void> {
  requireReason(reason, "releasing");
  await ledger.database.transaction(async (transaction) => {
    if (!(await noteRelease(ledger, transaction))) {
      throw new OfficeError("REPLAY_NOT_READY", "Sending is not stopped, so there is nothing to release.");
    }
    const details = { reason };
    await recordAction(ledger, transaction, { at: host.clock.now(), actor, action: "sending.released", details });
  });
}

/** Held until the end of the transaction: a stop that comes meanwhile waits, and then finds the replay running. */
export async function requireSending(ledger: Ledger, queries: Queries): Promise<void> {
  const stop = await readStop(ledger, queries, { hold: true });
  if (stop === null) return;
  const why = stop.reason === null ? "" : ` (${stop.reason})`;
  throw new OfficeError(
    "SENDING_STOPPED",
    `${stop.by} stopped all sending at ${stop.at}${why}. Release it first: \`dlo replay release --reason '…'\`.`,
    { details: { by: stop.by, at: stop.at } },
  );
}
