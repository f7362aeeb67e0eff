import pg from "pg";
import { pgDatabase } from "../src/databases/pg.ts";
import { readDeadLetter } from "../src/dialects/read-dead-letter.ts";
import type { Actor } from "../src/domain/actor.ts";
import { makeId } from "../src/domain/ids.ts";
import { defaultMasking } from "../src/domain/redaction.ts";
import { CopyRows } from "../src/ledger/copy-rows.ts";
import { type Ledger, openLedger } from "../src/ledger/ledger.ts";
import * as rows from "../src/ledger/letter-rows.ts";
import type { NewLetter } from "../src/ledger/new-letter.ts";
import { groupIdOf } from "../src/ledger/note-groups.ts";
import { holdBatch } from "../src/office/intake/hold-batch.ts";
import { type ReadingRoom, readLetter } from "../src/office/intake/read-letter.ts";
import { classify } from "../src/triage/classify.ts";
import { fingerprint } from "../src/triage/fingerprint/fingerprint.ts";
import { benchLetter } from "./ledger-letters.ts";
import type { Variant } from "./suite.ts";

const batchSize = 500;
const actor: Actor = { id: "bench", roles: ["admin"], kind: "system" };

const room: ReadingRoom = {
  read: readDeadLetter,
  triage: { classify, fingerprint },
  masking: defaultMasking,
  bodies: null,
  newLetterId: () => ({ id: makeId(Date.now(), crypto.randomUUID()), arrivedAt: Date.now() }),
};

/** Numbers are never used twice, so that every letter is new. */
let next = 0;

function batches(letters: number): number[][] {
  return Array.from({ length: letters / batchSize }, () => Array.from({ length: batchSize }, () => next++));
}

/**
 * Runs the batches over so many connections, and gives letters a second. One batch more than there are connections is under
 * way, as in a drain: it is made ready while the others are written.
 */
async function timed(all: readonly (() => Promise<void>)[], connections: number): Promise<number> {
  const waiting = [...all];
  const startedAt = performance.now();
  const work = async () => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) await batch();
  };
  await Promise.all(Array.from({ length: connections + 1 }, work));
  return (all.length * batchSize) / ((performance.now() - startedAt) / 1_000);
}

export interface LedgerBench {
  readonly url: string;
  readonly connections: number;
  /** Letters of one sample. */
  readonly letters: number;
}

async function open(
  { url, connections }: LedgerBench,
  schema: string,
): Promise<{ readonly ledger: Ledger; readonly pool: pg.Pool }> {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  return { pool, ledger: await openLedger({ database: pgDatabase(pool, { listener: false }), schema }) };
}

async function found(numbers: readonly number[]): Promise<NewLetter[]> {
  const letters: NewLetter[] = [];
  for (const n of numbers) {
    const position = `bench:0:${n}`;
    letters.push(
      await readLetter(room, { letter: benchLetter(n), source: "bench", found: { kind: "position", position } }),
    );
  }
  return letters;
}

/** Everything: reading, classifying, grouping, masking, keys, bodies, stacks, counters and audit. */
export async function intakeVariant(bench: LedgerBench): Promise<Variant> {
  const { ledger, pool } = await open(bench, `intake_${bench.connections}`);
  return {
    name: `intake, ${bench.connections} connection${bench.connections === 1 ? "" : "s"}`,
    async sample() {
      const prepared = batches(bench.letters).map((numbers) => numbers.map((n) => ({ n, letter: benchLetter(n) })));
      const all = prepared.map((batch) => async () => {
        const letters: NewLetter[] = [];
        for (const { n, letter } of batch) {
          letters.push(
            await readLetter(room, { letter, source: "bench", found: { kind: "position", position: `bench:0:${n}` } }),
          );
        }
        await holdBatch(ledger, { letters, actor, now: Date.now(), by: "drain", session: null });
      });
      return timed(all, bench.connections);
    },
    close: () => pool.end(),
  };
}

/** The same rows, as they are in the end, into the same tables with the same indexes; nothing looked up or counted. */
export async function copyVariant(bench: LedgerBench): Promise<Variant> {
  const { ledger, pool } = await open(bench, `copy_${bench.connections}`);
  return {
    name: `raw COPY, ${bench.connections} connection${bench.connections === 1 ? "" : "s"}`,
    async sample() {
      const prepared: NewLetter[][] = [];
      for (const numbers of batches(bench.letters)) prepared.push(await found(numbers));
      return timed(
        prepared.map((letters) => () => copyRows(ledger, letters)),
        bench.connections,
      );
    },
    close: () => pool.end(),
  };
}

async function copyRows({ database, at }: Ledger, letters: readonly NewLetter[]): Promise<void> {
  const placed = letters.map((letter) => ({
    letter,
    groupId: groupIdOf(letter),
    groupingVersion: 0,
    nth: 1,
    maybeReturnOf: null,
  }));
  await database.transaction(async (transaction) => {
    await transaction.copyIn(`${at}.letter_keys (key, letter_id)`, keyRows(letters));
    await transaction.copyIn(`${at}.${rows.letterColumns}`, rows.letterRows(placed));
    await transaction.copyIn(`${at}.${rows.bodyColumns}`, rows.bodyRows(placed));
    await transaction.copyIn(`${at}.${rows.classificationColumns}`, rows.classificationRows(placed));
  });
}

function keyRows(letters: readonly NewLetter[]): Uint8Array {
  const keys = new CopyRows();
  for (const { id, identity } of letters) keys.row(2).bytes(identity.key).uuid(id);
  return keys.finished();
}
