import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { pause } from "../domain/clock.ts";
import type { Database, Transaction } from "../domain/database.ts";
import { isOfficeError } from "../domain/errors.ts";
import { systemClock, systemHost } from "../system/host.ts";
import { type ContractPromise, type ContractTest, contractTests, type Exemptions } from "./contract.ts";
import { eventually } from "./eventually.ts";

/** An adapter to a driver as it is put to the test. */
export interface DatabaseSubject<Client> {
  /** Tests share it, each with a table of its own. */
  open(): Promise<Database<Client>>;
  /** Writes a line to a table through the driver's own client, as a handler would. */
  write(client: Client, table: string, line: string): Promise<void>;
  /** Promises this adapter cannot keep, by title, each with why. */
  readonly exempt?: Exemptions;
}

interface Bench {
  readonly database: Database<unknown>;
  readonly table: string;
  write(client: unknown, line: string): Promise<void>;
  /** Lines that were committed. */
  lines(): Promise<string[]>;
}

/** What every adapter to PostgreSQL promises, one test a promise. */
export function databaseContract<Client>(subject: DatabaseSubject<Client>): readonly ContractTest[] {
  return contractTests(promises, subject.exempt ?? {}, async (run) => {
    const database = await subject.open();
    const table = `contract_${systemHost.newId().replaceAll("-", "")}`;
    await database.query(`create table ${table} (line text)`);
    await run({
      database,
      table,
      write: (client, line) => subject.write(client as Client, table, line),
      async lines() {
        const { rows } = await database.query<{ line: string }>(`select line from ${table} order by line`);
        return rows.map(({ line }) => line);
      },
    });
  });
}

const isOver = (error: unknown) => isOfficeError(error, "TRANSACTION_OVER");

/** Runs a transaction, and what its handler does with the client when it is over. */
async function afterwards(
  { database, write }: Bench,
  run: (transaction: Transaction) => Promise<void>,
): Promise<() => Promise<void>> {
  let client: unknown;
  await database
    .transaction(async (transaction) => {
      client = transaction.client;
      await run(transaction);
    })
    .catch(() => {});
  return async () => write(client, "stray");
}

const values: readonly ContractPromise<Bench>[] = [
  {
    title: "gives integers of 64 bits as text, to the last digit",
    async run({ database }) {
      const { rows } = await database.query(
        "select 9007199254740993::bigint as big, 7 as small, null::bigint as none",
        [],
      );
      deepEqual({ ...rows[0] }, { big: "9007199254740993", small: 7, none: null });
    },
  },
  {
    title: "takes and gives bytes as they are",
    async run({ database }) {
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
      const sql = "select $1::bytea as same, ''::bytea as empty, null::bytea as none";
      const { rows } = await database.query(sql, [bytes]);
      deepEqual({ ...rows[0] }, { same: bytes, empty: new Uint8Array(), none: null });
    },
  },
  {
    title: "takes text, numbers, booleans, null and arrays",
    async run({ database }) {
      const sql =
        "select $1::text as t, $2::float8 as f, $3::boolean as b, $4::text as n, $5::text[] as a, $6::int[] as l";
      const { rows } = await database.query(sql, ["ü'\"\\", 0.5, true, null, ['a"b', "c,d", ""], "{1,null,3}"]);
      deepEqual({ ...rows[0] }, { t: "ü'\"\\", f: 0.5, b: true, n: null, a: ['a"b', "c,d", ""], l: [1, null, 3] });
    },
  },
  {
    title: "counts the rows it inserted, updated, deleted or returned",
    async run({ database, table }) {
      const count = async (sql: string) => (await database.query(sql, [])).count;
      equal(await count(`insert into ${table} values ('a'), ('b'), ('c')`), 3);
      equal(await count(`update ${table} set line = line || '!' where line <> 'a'`), 2);
      equal(await count(`select * from ${table}`), 3);
      equal(await count(`delete from ${table} where line = 'none'`), 0);
      equal(await count(`delete from ${table} where line = 'a' returning line`), 1);
    },
  },
  {
    title: "runs several statements at once where there are no values, and gives the last one's result",
    async run({ database, table, lines }) {
      const { rows } = await database.query(`insert into ${table} values ('a'); select 1 as one; select 2 as two`);
      deepEqual({ ...rows[0] }, { two: 2 });
      deepEqual(await lines(), ["a"]);
    },
  },
  {
    title: "rejects what the server refuses, with its code, and goes on",
    async run({ database }) {
      await rejects(database.query("select 1 / $1::int", [0]), { code: "22012" });
      equal((await database.query("select 1", [])).count, 1);
    },
  },
];

const transactions: readonly ContractPromise<Bench>[] = [
  {
    title: "commits when the work resolves, and resolves as it did",
    async run({ database, write, lines }) {
      const result = await database.transaction(async ({ client }) => {
        await write(client, "kept");
        return "result";
      });
      equal(result, "result");
      deepEqual(await lines(), ["kept"]);
    },
  },
  {
    title: "rolls back when the work rejects, and rejects as it did",
    async run({ database, table, lines }) {
      const failure = new Error("no");
      const work = async (transaction: Transaction) => {
        await transaction.query(`insert into ${table} values ($1)`, ["gone"]);
        throw failure;
      };
      await rejects(database.transaction(work), (error) => error === failure);
      deepEqual(await lines(), []);
    },
  },
  {
    title: "makes the driver's client and its own queries one transaction",
    async run({ database, table, write }) {
      const seen = await database.transaction(async (transaction) => {
        await write(transaction.client, "mine");
        return (await transaction.query(`select from ${table}`, [])).count;
      });
      equal(seen, 1);
    },
  },
  {
    title: "rejects when a statement failed, though the work hid it: nothing can have been kept",
    async run({ database, table, lines }) {
      const work = async (transaction: Transaction) => {
        await transaction.query(`insert into ${table} values ($1)`, ["gone"]);
        await transaction.query("select 1 / $1::int", [0]).catch(() => {});
      };
      await rejects(database.transaction(work));
      deepEqual(await lines(), []);
    },
  },
  {
    title: "shows others nothing before it is committed",
    async run({ database, write, lines }) {
      let early: Promise<string[]> | undefined;
      await database.transaction(async ({ client }) => {
        await write(client, "kept");
        early = lines();
        // One connection for all answers afterwards, and then it is committed.
        if (!database.serial) deepEqual(await early, []);
      });
      deepEqual(await early, database.serial ? ["kept"] : []);
    },
  },
  {
    title: "runs transactions side by side, or, with one connection for all, one after the other",
    async run({ database }) {
      let open = 0;
      let most = 0;
      const work = async () => {
        open += 1;
        most = Math.max(most, open);
        await (database.serial ? pause(systemClock, 50) : eventually(() => most === 2));
        open -= 1;
      };
      await Promise.all([database.transaction(work), database.transaction(work)]);
      equal(most, database.serial ? 1 : 2);
    },
  },
  {
    title: "says whether a statement is under way",
    async run({ database, write }) {
      await database.transaction(async (transaction) => {
        equal(transaction.busy, false);
        const writing = write(transaction.client, "a");
        equal(transaction.busy, true);
        await writing;
        equal(transaction.busy, false);
      });
    },
  },
];

/** One row of one column in PostgreSQL's binary format: signature, flags, no extension, the row, the end. */
function binaryRow(text: string): Buffer {
  const row = Buffer.from(text);
  const head = Buffer.alloc(25);
  head.write("PGCOPY\n\xff\r\n\0", "latin1");
  head.writeInt16BE(1, 19);
  head.writeInt32BE(row.byteLength, 21);
  return Buffer.concat([head, row, Buffer.from([0xff, 0xff])]);
}

const copies: readonly ContractPromise<Bench>[] = [
  {
    title: "copies rows in with the transaction they are part of",
    async run({ database, table, lines }) {
      const target = `${table} (line)`;
      await database.transaction(async (transaction) => {
        await transaction.copyIn({ target, rows: binaryRow("first") });
        await transaction.copyIn(
          { target, rows: binaryRow("x".repeat(3_000_000)) },
          { target, rows: binaryRow("the last") },
        );
        equal((await transaction.query(`select from ${table}`, [])).count, 3);
      });
      deepEqual(
        (await lines()).map((line) => line.length),
        [5, 8, 3_000_000],
      );
    },
  },
  {
    title: "rejects a copy that the server refuses, with its code, and goes on with other transactions",
    async run({ database, table, lines }) {
      const target = `${table} (line)`;
      const work = (rows: Uint8Array) =>
        database.transaction((transaction) =>
          transaction.copyIn({ target, rows }, { target, rows: binaryRow("next") }),
        );
      await rejects(work(binaryRow("nul \0")), { code: "22021" });
      await rejects(work(Buffer.from("nothing like it")), { code: "22P04" });
      await work(binaryRow("kept"));
      deepEqual(await lines(), ["kept", "next"]);
    },
  },
];

const handles: readonly ContractPromise<Bench>[] = [
  {
    title: "refuses the client once its transaction was committed",
    async run(bench) {
      const stray = await afterwards(bench, async () => {});
      await rejects(stray, isOver);
      deepEqual(await bench.lines(), []);
    },
  },
  {
    title: "refuses the client once its transaction was rolled back",
    async run(bench) {
      const stray = await afterwards(bench, () => Promise.reject(new Error("no")));
      await rejects(stray, isOver);
      deepEqual(await bench.lines(), []);
    },
  },
  {
    title: "refuses the client as soon as the transaction is discarded",
    async run(bench) {
      let refusal: unknown;
      await afterwards(bench, async (transaction) => {
        transaction.discard();
        refusal = await bench.write(transaction.client, "stray").catch((error: unknown) => error);
        throw new Error("given up");
      });
      ok(isOver(refusal));
      deepEqual(await bench.lines(), []);
    },
  },
  {
    title: "keeps a deaf handler out of the transactions of others",
    async run(bench) {
      const stray = await afterwards(bench, async (transaction) => {
        transaction.discard();
        throw new Error("out of time");
      });
      const next = bench.database.transaction(async ({ client }) => {
        await rejects(stray, isOver);
        await bench.write(client, "kept");
      });
      await next;
      deepEqual(await bench.lines(), ["kept"]);
    },
  },
  {
    title: "goes on after discarded transactions, however many",
    async run({ database, write, lines }) {
      const discarded = async (transaction: Transaction) => {
        await write(transaction.client, "gone");
        transaction.discard();
        throw new Error("out of time");
      };
      for (let round = 0; round < 25; round++) await database.transaction(discarded).catch(() => {});
      await database.transaction(({ client }) => write(client, "kept"));
      deepEqual(await lines(), ["kept"]);
    },
  },
];

const notifications: readonly ContractPromise<Bench>[] = [
  {
    title: "wakes whoever listens, on the channel it named, until it stops",
    async run({ database, table }) {
      if (database.listen === undefined) return;
      const channel = `${table}_mine`;
      let wakes = 0;
      let others = 0;
      const stop = await database.listen(channel, () => {
        wakes += 1;
      });
      const stopOther = await database.listen(`${table}_other`, () => {
        others += 1;
      });
      const notify = () => database.query("select pg_notify($1, '')", [channel]);
      await eventually(async () => {
        await notify();
        return wakes > 0;
      });
      equal(others, 0);
      await stop();
      const before = wakes;
      await notify();
      await pause(systemClock, 50);
      equal(wakes, before);
      await stopOther();
      await stopOther();
    },
  },
];

const promises: readonly ContractPromise<Bench>[] = [
  ...values,
  ...transactions,
  ...copies,
  ...handles,
  ...notifications,
];
