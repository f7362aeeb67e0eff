import { makeId } from "../src/domain/ids.ts";
import { holdBatch } from "../src/office/intake/hold-batch.ts";
import { runRetention } from "../src/office/retention/run-retention.ts";
import { systemClock } from "../src/system/host.ts";
import { benchActor, benchRoom, readAll } from "./ledger-intake.ts";
import { benchLetter } from "./ledger-letters.ts";
import { batches, intakeVariant, type LedgerBench, openBenchLedger } from "./ledger-variants.ts";
import type { Variant } from "./suite.ts";

const retentionMs = 90 * 86_400_000;
/** Long past its time, and in one week. */
const oldAt = Date.now() - 2 * retentionMs;

const schema = "beside_retention";

/** The same intake while letters of an old week are expired beside it, through a connection of its own. */
export async function besideRetention(bench: LedgerBench): Promise<Variant> {
  const intake = await intakeVariant(bench, schema);
  const { ledger, pool } = await openBenchLedger({ ...bench, connections: 1 }, schema);
  return {
    name: "intake while retention runs",
    async sample() {
      for (const numbers of batches(bench.letters)) await holdOld(numbers);
      const stop = new AbortController();
      const office = { ledger, bodies: null, clock: systemClock, retentionMs };
      const run = runRetention(office, { actor: benchActor, now: Date.now(), signal: stop.signal });
      const sample = await intake.sample();
      stop.abort();
      const { expired, isComplete } = await run;
      if (isComplete) throw new Error(`Retention was through before intake was, after ${expired} letters.`);
      return sample;
    },
    async close() {
      await intake.close?.();
      await pool.end();
    },
  };

  async function holdOld(numbers: readonly number[]): Promise<void> {
    const newLetterId = () => ({ id: makeId(oldAt, crypto.randomUUID()), arrivedAt: oldAt });
    const old = numbers.map((n) => ({ n, letter: benchLetter(n) }));
    const letters = await readAll({ ...benchRoom, newLetterId }, old);
    await holdBatch(ledger, { letters, actor: benchActor, now: Date.now(), by: "drain", session: null });
  }
}
