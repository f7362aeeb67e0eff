import { type Clock, pause } from "../domain/clock.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { type OfficeProcess, registerProcess, removeProcess } from "../ledger/processes.ts";

/** That this process lives, as others see it in the ledger. */
export interface Presence {
  /** Takes leave. */
  close(): Promise<void>;
}

/** One that was killed counts as living for so long. */
const leaseMs = 30_000;
const beatMs = 10_000;

/** Resolves when the ledger has this process among those that live; says so again until it is closed. */
export async function bePresent(ledger: Ledger, process: OfficeProcess, clock: Clock): Promise<Presence> {
  const stop = new AbortController();
  await registerProcess(ledger, process, leaseMs);
  const beating = beat();

  async function beat(): Promise<void> {
    for (;;) {
      await pause(clock, beatMs, stop.signal);
      if (stop.signal.aborted) return;
      // The database may be away: then nobody else hears of anything either.
      await registerProcess(ledger, process, leaseMs).catch(() => {});
    }
  }

  return {
    async close() {
      stop.abort();
      await beating;
      // If this fails, its lease lapses by itself.
      await removeProcess(ledger, process.id).catch(() => {});
    },
  };
}
