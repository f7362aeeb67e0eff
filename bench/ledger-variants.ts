import pg from "pg";
import { pgDatabase } from "../src/databases/pg.ts";
import { CopyRows } from "../src/ledger/copy-rows.ts";
import { type Ledger, openLedger } from "../src/ledger/ledger.ts";
import * as rows from "../src/ledger/letter-rows.ts";
import type { NewLetter } from "../src/ledger/new-letter.ts";
import { placeLetters } from "../src/ledger/place-letters.ts";
import { holdBatch } from "../src/office/intake/hold-batch.ts";
import { benchActor, benchRoom, foundLetters, readAll } from "./ledger-intake.ts";
import { benchLetter } from "./ledger-letters.ts";
import { stopwatch } from "./stopwatch.ts";
import type { Sample, Variant } from "./suite.ts";

const batchSize = 500;

/** Numbers are never used twice, so that every letter is new. */
let next = 0;

export function batches(letters: number): number[][] {
  return Array.from({ length: letters / batchSize }, () => Array.from({ length: batchSize }, () => next++));
}

/**
 * Runs the batches over so many connections. One batch more than there are connections is under way, as in a drain: it is
 * made ready while the others are written.
 */
async function timed(all: readonly (() => Promise<void>)[], connections: number): Promise<Sample> {
  const waiting = [...all];
  const elapsed = stopwatch();
  const work = async () => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) await batch();
  };
  await Promise.all(Array.from({ length: connections + 1 }, work));
  return elapsed(all.length * batchSize);
}

export interface LedgerBench {
  readonly url: string;
  readonly connections: number;
  /** Letters of one sample. */
  readonly letters: number;
}

export async function openBenchLedger(
  { url, connections }: LedgerBench,
  schema: string,
): Promise<{ readonly ledger: Ledger; readonly pool: pg.Pool }> {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  return { pool, ledger: await openLedger({ database: pgDatabase(pool, { listener: false }), schema }) };
}

/** Everything: reading, classifying, grouping, masking, keys, bodies, stacks, counters and audit. */
export async function intakeVariant(bench: LedgerBench, schema = `intake_${bench.connections}`): Promise<Variant> {
  const { ledger, pool } = await openBenchLedger(bench, schema);
  return {
    name: `intake, ${bench.connections} connection${bench.connections === 1 ? "" : "s"}`,
    async sample() {
      const prepared = batches(bench.letters).map((numbers) => numbers.map((n) => ({ n, letter: benchLetter(n) })));
      const all = prepared.map((batch) => async () => {
        const letters = await readAll(benchRoom, batch);
        await holdBatch(ledger, { letters, actor: benchActor, now: Date.now(), by: "drain", session: null });
      });
      return timed(all, bench.connections);
    },
    close: () => pool.end(),
  };
}

/**
 * The same rows, as they are in the end, into the same tables with the same indexes, as many to a commit; nothing looked up or
 * counted. `session` is of letters that a drain found, in a queue that has no positions.
 */
export async function copyVariant(bench: LedgerBench, session: Uint8Array | null = null): Promise<Variant> {
  const { ledger, pool } = await openBenchLedger(bench, `copy_${bench.connections}`);
  return {
    name: `raw COPY, ${bench.connections} connection${bench.connections === 1 ? "" : "s"}`,
    async sample() {
      const prepared = await readBefore(bench.letters, session);
      return timed(
        prepared.map((letters) => () => copyLetters(ledger, letters, session)),
        bench.connections,
      );
    },
    close: () => pool.end(),
  };
}

/** Letters in batches, with all done that is done before they are written. */
export async function readBefore(
  letters: number,
  session: Uint8Array | null,
): Promise<readonly (readonly NewLetter[])[]> {
  const delivered = (session: Uint8Array) => (ordinal: number) =>
    ({ kind: "delivery", session, ordinal, redelivered: false }) as const;
  const foundBy = session === null ? undefined : delivered(session);
  const prepared: (readonly NewLetter[])[] = [];
  for (const numbers of batches(letters)) prepared.push(await foundLetters(benchRoom, numbers, foundBy));
  return prepared;
}

export async function copyLetters(
  { database, at }: Ledger,
  letters: readonly NewLetter[],
  session: Uint8Array | null,
): Promise<void> {
  const placed = placeLetters(letters);
  await database.transaction((transaction) =>
    transaction.copyIn(
      { target: `${at}.letter_keys (key, letter_id, digest, session_id)`, rows: keyRows(letters, session) },
      { target: `${at}.${rows.letterColumns}`, rows: rows.letterRows(placed) },
      { target: `${at}.${rows.bodyColumns}`, rows: rows.bodyRows(placed) },
      { target: `${at}.${rows.classificationColumns}`, rows: rows.classificationRows(placed) },
    ),
  );
}

function keyRows(letters: readonly NewLetter[], session: Uint8Array | null): Uint8Array {
  const keys = new CopyRows();
  for (const { id, identity } of letters) {
    const digest = identity.kind === "delivery" ? identity.digest : null;
    keys.row(4).bytes(identity.key).uuid(id).bytes(digest).uuid(session);
  }
  return keys.finished();
}
