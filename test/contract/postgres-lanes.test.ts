import type { Pool } from "pg";
import { expect, it } from "vitest";
import { pgDatabase } from "../../src/databases/pg.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { systemClock } from "../../src/system/host.ts";
import { PostgresLink } from "../../src/transports/postgres/link.ts";
import type { PostgresReceipt } from "../../src/transports/postgres/receipt.ts";
import type { Taken } from "../../src/transports/pull-link.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";

const queue = { name: "orders" };
const keyed = (key: string, body = "") => makeMessage({ key, body });
const text = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).toString();

/** Lanes without a head, with two, or whose head is not the first. */
const brokenLanes = (schema: string) => `
  select lane from ${schema}.messages where lane is not null group by lane
  having count(*) filter (where not behind) <> 1 or min(id) <> min(id) filter (where not behind)`;

describeServer("the lanes of the PostgreSQL transport", noPostgres, () => {
  const postgres = usePostgres();

  /** Links with connections of their own to tables of their own. */
  function setup() {
    const schema = `lanes_${crypto.randomUUID().slice(0, 8)}`;
    const newLink = (pool = postgres.otherPool({ max: 3 })) => {
      const database = pgDatabase(pool, { listener: false });
      return new PostgresLink({ database, schema, clock: systemClock, answerWithinMs: 20_000, maxMessageBytes: 1_000 });
    };
    const take = (link: PostgresLink, max: number, leaseMs = 60_000) =>
      link.take(queue, max, { leaseMs, order: "key" });
    return { schema, newLink, take };
  }

  it("never have two messages out, nor one out of order, whoever sends, takes, retries, gives back and dies", async () => {
    const { schema, newLink, take } = setup();
    const witness = new Witness();
    const total = 1_500;
    const lanes = 7;
    let sent = 0;
    const senders = Array.from({ length: 4 }, () => newLink());
    // Senders of one key do not wait for each other, so their messages become visible in an order of their own.
    const sending = senders.map(async (link) => {
      while (sent < total) {
        const burst = Array.from({ length: 5 }, () => {
          sent += 1;
          return link.send(queue, keyed(`key ${sent % lanes}`, String(sent)), 0);
        });
        await Promise.all(burst);
      }
    });
    const consume = async (link: PostgresLink, seed: number) => {
      for (let turn = seed; witness.done < sent || sent < total; turn++) {
        const taken = await take(link, 4, turn % 11 === 0 ? 30 : 60_000);
        for (const one of taken) await settle(link, one, turn, witness);
      }
    };
    await Promise.all([...sending, ...Array.from({ length: 6 }, (_, seed) => consume(newLink(), seed))]);
    expect(witness.complaints).toEqual([]);
    expect(witness.done).toBe(sent);
    expect((await postgres.pool.query(`select from ${schema}.messages`)).rowCount).toBe(0);
  });

  it("always have a head, and the first one, while messages join and leave them in any way", async () => {
    const { schema, newLink } = setup();
    const link = newLink();
    const end = Date.now() + 1_500;
    const join = async (other: PostgresLink) => {
      while (Date.now() < end) await Promise.all(["a", "b", "c"].map((key) => other.send(queue, keyed(key), 0)));
    };
    // Without regard to order: the messages behind go before the first ones.
    const leave = async (other: PostgresLink) => {
      while (Date.now() < end) {
        const taken = await other.take(queue, 5, { leaseMs: 60_000, order: "none" });
        const receipts = taken.map(({ receipt }) => receipt);
        await Promise.all([
          other.acknowledge(receipts.slice(0, 3)),
          ...receipts.slice(3).map((receipt) => other.move(receipt, queue, keyed("c"))),
        ]);
      }
    };
    const look = async () => {
      while (Date.now() < end) expect((await postgres.pool.query(brokenLanes(schema))).rows).toEqual([]);
    };
    await link.send(queue, keyed("a"), 0);
    const others = Array.from({ length: 6 }, () => newLink());
    await Promise.all([...others.slice(0, 3).map(join), ...others.slice(3).map(leave), look()]);
    expect((await postgres.pool.query(brokenLanes(schema))).rows).toEqual([]);
  });

  it("go on when somebody deletes the first message by hand", async () => {
    const { schema, newLink, take } = setup();
    const link = newLink();
    for (const body of ["first", "second", "third"]) await link.send(queue, keyed("k", body), 0);
    await postgres.pool.query(`delete from ${schema}.messages where body = 'first'`);
    expect((await take(link, 5)).map(({ message }) => text(message.body))).toEqual(["second"]);
  });

  it("end at the back when a retry has another key", async () => {
    const { newLink, take } = setup();
    const link = newLink();
    for (const [key, body] of [
      ["a", "a1"],
      ["a", "a2"],
      ["b", "b1"],
    ] as const)
      await link.send(queue, keyed(key, body), 0);
    const [first, other] = (await take(link, 5)) as [Taken<PostgresReceipt>, Taken<PostgresReceipt>];
    expect(text(other.message.body)).toBe("b1");
    expect(await link.replace(first.receipt, keyed("b", "a1 as b2"), 0)).toBe(true);
    expect((await take(link, 5)).map(({ message }) => text(message.body))).toEqual(["a2"]);
    await link.acknowledge([other.receipt]);
    expect((await take(link, 5)).map(({ message }) => text(message.body))).toEqual(["a1 as b2"]);
  });

  it("do not make a hand-over look at all that waits in them", async () => {
    const { schema, newLink, take } = setup();
    const pool = postgres.otherPool({ max: 1 });
    const link = newLink(pool);
    await link.send(queue, keyed("slow", "head"), 0);
    await take(link, 1);
    await postgres.pool.query(`insert into ${schema}.messages (queue, lane, key, body)
      select queue, lane, key, body from ${schema}.messages, generate_series(1, 20000)`);
    await link.send(queue, keyed("quick"), 0);
    const before = await blocksRead(pool, schema);
    expect(await take(link, 10)).toHaveLength(1);
    expect((await blocksRead(pool, schema)) - before).toBeLessThan(100);
  });
});

/** Blocks of the table that this pool's one connection looked at so far. */
async function blocksRead(pool: Pool, schema: string): Promise<number> {
  await pool.query("select pg_stat_force_next_flush()");
  const sql = `select heap_blks_read + heap_blks_hit as blocks from pg_statio_all_tables
    where schemaname = $1 and relname = 'messages'`;
  return Number((await pool.query<{ blocks: string }>(sql, [schema])).rows[0]?.blocks);
}

/** Deals with a message in one of the ways there are, and tells the witness what it saw. */
async function settle(link: PostgresLink, one: Taken<PostgresReceipt>, turn: number, witness: Witness): Promise<void> {
  // A short lease is not held: whoever has it may lose it at any moment, so nobody looks.
  if (turn % 11 === 0) return;
  witness.begin(one);
  await new Promise((resolve) => setImmediate(resolve));
  const way = (turn + Number(one.position)) % 5;
  witness.end(one, way < 3);
  if (way < 3) await link.acknowledge([one.receipt]);
  else if (way === 3) await link.giveBack([one.receipt]);
  else await link.replace(one.receipt, one.message, 1);
}

/** Sees what is out, and complains. */
class Witness {
  done = 0;
  readonly complaints: string[] = [];
  readonly #out = new Map<string, string>();
  readonly #last = new Map<string, number>();

  begin({ message, position }: Taken<PostgresReceipt>): void {
    const key = text(message.key);
    const other = this.#out.get(key);
    if (other !== undefined) this.complaints.push(`${key}: ${position} is out with ${other}`);
    if (Number(position) < (this.#last.get(key) ?? 0)) this.complaints.push(`${key}: ${position} comes late`);
    this.#out.set(key, String(position));
  }

  end({ message, position }: Taken<PostgresReceipt>, isDone: boolean): void {
    const key = text(message.key);
    this.#out.delete(key);
    if (!isDone) return;
    this.done += 1;
    this.#last.set(key, Number(position));
  }
}
