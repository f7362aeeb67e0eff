import { describe, expect, it } from "vitest";
import { pgDatabase } from "../../src/databases/pg.ts";
import { type Database, quoteName } from "../../src/domain/database.ts";
import { makeMessage, textHeader } from "../../src/domain/message.ts";
import { systemClock } from "../../src/system/host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { PostgresLink } from "../../src/transports/postgres/link.ts";
import type { PostgresReceipt as Receipt } from "../../src/transports/postgres/receipt.ts";
import type { Taken, TakeOptions } from "../../src/transports/pull-link.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";

const queue = { name: "orders" };
const message = makeMessage({ body: "x" });

/** A link to tables of its own, whose clock goes when it is told to. */
async function setup(database: Database, clock = systemClock) {
  const schema = `link ${crypto.randomUUID()}`;
  const limits = { answerWithinMs: 10_000, maxMessageBytes: 10_000_000 };
  const link = new PostgresLink({ database, schema, clock, ...limits });
  const at = quoteName(schema);
  await link.take(queue, 1, { leaseMs: 1, order: "none" });
  await database.query(`create table ${at}.elapsed as select interval '0' as time;
    create or replace function ${at}.clock() returns timestamptz language sql volatile as $$
      select timestamptz '2026-01-01' + time from ${at}.elapsed
    $$`);
  return {
    link,
    at,
    take: (max = 10, options: Partial<TakeOptions> = {}) =>
      link.take(queue, max, { leaseMs: 60_000, order: "none", ...options }),
    async passMs(ms: number) {
      await database.query(`update ${at}.elapsed set time = time + $1::float8 * interval '1 ms'`, [ms]);
    },
    async send(...bodies: string[]) {
      for (const body of bodies) await link.send(queue, makeMessage({ body }), 0);
    },
    async rows() {
      return (await database.query<Record<string, unknown>>(`select * from ${at}.messages order by id`)).rows;
    },
  };
}

const bodies = (taken: readonly Taken<Receipt>[]) => taken.map((one) => Buffer.from(one.message.body).toString());
const receipts = (taken: readonly Taken<Receipt>[]) => taken.map(({ receipt }) => receipt);
const only = ([one]: readonly Taken<Receipt>[]) => one as Taken<Receipt>;

describeServer("the PostgreSQL link", noPostgres, () => {
  const postgres = usePostgres();

  describe("by the database's clock alone", () => {
    it("keeps a message for as long as its lease, and gives it out again, as redelivered, when that is over", async () => {
      const { link, take, passMs } = await setup(postgres.database);
      await link.send(queue, message, 0);
      expect(await take()).toMatchObject([{ redelivered: false, deliveryCount: 1 }]);
      await passMs(59_999);
      expect(await take()).toEqual([]);
      await passMs(1);
      expect(await take()).toMatchObject([{ redelivered: true, deliveryCount: 2 }]);
    });

    it("gives out a delayed message when it is due", async () => {
      const { link, take, passMs } = await setup(postgres.database);
      await link.send(queue, message, 3_600_000);
      await passMs(3_599_999);
      expect(await take()).toEqual([]);
      await passMs(1);
      expect(await take()).toHaveLength(1);
    });

    it("counts an extension from the moment it is asked for", async () => {
      const { link, take, passMs } = await setup(postgres.database);
      await link.send(queue, message, 0);
      const { receipt } = only(await take());
      await passMs(50_000);
      expect(await link.extend(receipt, 60_000)).toBe(true);
      await passMs(59_999);
      expect(await take()).toEqual([]);
    });
  });

  describe("a message that is out", () => {
    it("changes where it is: it keeps its page, and its place in the index of what is due", async () => {
      const { at, take, send } = await setup(postgres.database);
      const sql = `select id, (ctid::text::point)[0] as page, due_at from ${at}.messages order by id`;
      const places = async () => (await postgres.database.query<Record<string, unknown>>(sql)).rows;
      await send(...Array.from({ length: 20 }, () => "x".repeat(1_000)));
      const before = await places();
      expect(await take(20)).toHaveLength(20);
      expect(await places()).toEqual(before);
    });

    it("is the alarm of whoever finds nothing: when its lease ends, or that of its extension", async () => {
      const { link, at, take, passMs, send } = await setup(postgres.database);
      const sql = `select ${at}.next_due_in_ms('orders') as ms`;
      const nextDueInMs = async () => (await postgres.database.query<{ ms: number | null }>(sql)).rows[0]?.ms;
      expect(await nextDueInMs()).toBe(null);
      await send("x");
      expect(await nextDueInMs()).toBe(0);
      const { receipt } = only(await take());
      await link.send(queue, message, 90_000);
      await passMs(20_000);
      expect(await nextDueInMs()).toBe(40_000);
      await link.extend(receipt, 5_000);
      expect(await nextDueInMs()).toBe(5_000);
      await link.extend(receipt, 100_000);
      expect(await nextDueInMs()).toBe(70_000);
    });

    it("is given back, retried and extended by older versions, which write all that into its due time", async () => {
      const { at, take, passMs, send } = await setup(postgres.database);
      const older = (what: string) => postgres.pool.query(`update ${at}.messages set ${what}`);
      await send("x");
      await take();
      await older("fence = null, due_at = sent_at, deliveries = deliveries - 1");
      expect(await take()).toMatchObject([{ redelivered: false, deliveryCount: 1 }]);
      await older(`fence = null, redelivered = false, due_at = ${at}.clock() + interval '1 s'`);
      expect(await take()).toEqual([]);
      await passMs(1_000);
      expect(await take()).toMatchObject([{ redelivered: false, deliveryCount: 2 }]);
      await older(`due_at = ${at}.clock() + interval '90 s'`);
      await passMs(89_999);
      expect(await take()).toEqual([]);
      await passMs(1);
      expect(await take()).toMatchObject([{ redelivered: true, deliveryCount: 3 }]);
    });
  });

  describe("a receipt", () => {
    it("is worth nothing once the message was given back and taken again, though the count is the same", async () => {
      const { link, take, rows } = await setup(postgres.database);
      await link.send(queue, message, 0);
      const first = only(await take());
      await link.giveBack([first.receipt]);
      const second = only(await take());
      expect([first.deliveryCount, second.deliveryCount]).toEqual([1, 1]);
      await link.acknowledge([first.receipt]);
      expect(await link.extend(first.receipt, 1_000)).toBe(false);
      expect(await link.charge(first.receipt, [textHeader("a", "b")])).toBe(false);
      expect(await link.replace(first.receipt, message, 0)).toBe(false);
      expect(await link.move(first.receipt, { name: "elsewhere" }, message)).toBe(false);
      await link.giveBack([first.receipt]);
      expect(await rows()).toMatchObject([{ queue: "orders", fence: second.receipt.fence, deliveries: 1 }]);
    });

    it("may be used again after an unknown answer: the second time finds nothing to do", async () => {
      const { link, take, send, rows } = await setup(postgres.database);
      await send("done", "moved", "retried", "returned");
      const [gone, moved, retried, returned] = receipts(await take()) as [Receipt, Receipt, Receipt, Receipt];
      for (let time = 1; time <= 2; time++) {
        await link.acknowledge([gone]);
        expect(await link.move(moved, { name: "dlq" }, message)).toBe(time === 1);
        expect(await link.replace(retried, message, 0)).toBe(time === 1);
        await link.giveBack([returned]);
      }
      expect((await rows()).map((row) => [row.queue, row.deliveries])).toEqual([
        ["orders", 1],
        ["orders", 0],
        ["dlq", 0],
      ]);
    });

    it("moves its message once, also when it is asked to twice at the same time", async () => {
      const { link, take, rows } = await setup(postgres.database);
      await link.send(queue, message, 0);
      const { receipt } = only(await take());
      await Promise.all([1, 2, 3].map(() => link.move(receipt, { name: "dlq" }, message)));
      expect(await rows()).toHaveLength(1);
    });

    it("settles its own message alone, also in a batch with a stale one of the same message", async () => {
      const { link, take, send, passMs, rows } = await setup(postgres.database);
      await send("a", "b");
      const [stale] = receipts(await take(1)) as [Receipt];
      await passMs(60_000);
      const current = receipts(await take());
      // The stale one has the id of one that is out, and the other the fence.
      await link.acknowledge([stale, ...current.filter(({ id }) => id !== stale.id)]);
      expect(await rows()).toMatchObject([{ id: stale.id }]);
    });
  });

  describe("marks as redelivered only what nobody heard of", () => {
    it("does not mark what was given back", async () => {
      const { link, take, send } = await setup(postgres.database);
      await send("a");
      await link.giveBack(receipts(await take()));
      expect(await take()).toMatchObject([{ redelivered: false, deliveryCount: 1 }]);
    });

    it("does not forget that it was lost before, when it is given back", async () => {
      const { link, take, send, passMs } = await setup(postgres.database);
      await send("a");
      await take();
      await passMs(60_000);
      await link.giveBack(receipts(await take()));
      expect(await take()).toMatchObject([{ redelivered: true, deliveryCount: 2 }]);
    });

    it("does not mark a retry, and goes on counting its deliveries", async () => {
      const { link, take, send, passMs } = await setup(postgres.database);
      await send("a");
      await take();
      await passMs(60_000);
      await link.replace(only(await take()).receipt, message, 0);
      expect(await take()).toMatchObject([{ redelivered: false, deliveryCount: 3 }]);
    });
  });

  it("gives back to the front what was taken from there", async () => {
    const { link, take, send, passMs } = await setup(postgres.database);
    for (const body of ["a", "b", "c", "d"]) {
      await send(body);
      await passMs(1);
    }
    await link.giveBack(receipts(await take(2)));
    expect(bodies(await take(3))).toEqual(["a", "b", "c"]);
  });

  it("takes no more bytes at once than fit, and at least one message however large", async () => {
    const { link, take } = await setup(postgres.database);
    const large = makeMessage({ body: new Uint8Array(6_000_000) });
    for (let count = 0; count < 5; count++) await link.send(queue, large, 0);
    expect(await take(5)).toHaveLength(3);
    expect(await take(5)).toHaveLength(2);
  });

  it("refuses a message that is too large, alone", async () => {
    const { link, rows } = await setup(postgres.database);
    const sending = [
      link.send(queue, makeMessage({ body: new Uint8Array(10_000_001) }), 0),
      link.send(queue, message, 0),
    ];
    const outcomes = await Promise.allSettled(sending);
    expect(outcomes[0]).toMatchObject({ status: "rejected", reason: { code: "MESSAGE_TOO_LARGE" } });
    expect(await rows()).toHaveLength(1);
  });

  it("retries and moves what our own headers made larger than anybody may send", async () => {
    const { link, take, rows } = await setup(postgres.database);
    const largest = makeMessage({ body: new Uint8Array(10_000_000) });
    await link.send(queue, largest, 0);
    const larger = { ...largest, headers: [textHeader("dlo-attempt", "1")] };
    expect(await link.replace(only(await take()).receipt, larger, 0)).toBe(true);
    expect(await link.move(only(await take()).receipt, { name: "dlq" }, larger)).toBe(true);
    expect(await rows()).toMatchObject([{ queue: "dlq" }]);
  });

  it("takes a retry later than any date for one in a hundred years", async () => {
    const { link, take, passMs } = await setup(postgres.database);
    await link.send(queue, message, 0);
    expect(await link.replace(only(await take()).receipt, message, Number.MAX_VALUE)).toBe(true);
    await passMs(99 * 365 * 86_400_000);
    expect(await take()).toEqual([]);
    await passMs(365 * 86_400_000);
    expect(await take()).toHaveLength(1);
  });

  it("sets its alarm for the next message that is not due yet, not for one that somebody has locked", async () => {
    const { listen, ...deaf } = postgres.database;
    expect(listen).toBeDefined();
    const clock = fakeClock();
    const { link, at, take, send } = await setup(deaf, clock);
    let wakes = 0;
    await link.watch(queue, () => {
      wakes += 1;
    });
    await send("locked");
    wakes = 0;
    await deaf.transaction(async (transaction) => {
      await transaction.query(`select from ${at}.messages for update`);
      expect(await take()).toEqual([]);
      await clock.advance(60_000);
    });
    expect(wakes).toBe(0);
    await link.replace(only(await take()).receipt, message, 1_000);
    expect(await take()).toEqual([]);
    await clock.advance(1_000);
    expect(wakes).toBe(1);
  });

  it("wakes whoever asked in vain when a retry is due, and when a delayed message is", async () => {
    const { listen, ...deaf } = postgres.database;
    expect(listen).toBeDefined();
    const clock = fakeClock();
    const { link, take, send, passMs } = await setup(deaf, clock);
    let wakes = 0;
    await link.watch(queue, () => {
      wakes += 1;
    });
    await send("x");
    const { receipt } = only(await take());
    expect(await take()).toEqual([]);
    wakes = 0;
    await link.send(queue, message, 400);
    await link.replace(receipt, message, 177);
    await clock.advance(176);
    expect(wakes).toBe(0);
    await clock.advance(1);
    expect(wakes).toBe(1);
    await passMs(177);
    expect(await take()).toHaveLength(1);
    expect(await take()).toEqual([]);
    await clock.advance(400 - 177);
    expect(wakes).toBe(2);
  });

  it.each(["", "nul\0", "lone \ud800 surrogate"])("refuses a queue that text cannot name: %j", async (name) => {
    const { link } = await setup(postgres.database);
    await expect(link.send({ name }, message, 0)).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });

  it.each([
    ["text, as text", '{"name":"日本語 🙂"}', true],
    ["nothing, as text", "", true],
    ["a byte order mark, as bytes: drivers may drop it", "\ufefftext", false],
    ["NUL, as bytes: text cannot have it", "nul\0", false],
    ["what is not UTF-8, as bytes", Uint8Array.of(0x66, 0xed, 0xa0, 0x80), false],
  ])("hands over %s", async (_what, body, isText) => {
    const { link, at, take } = await setup(postgres.database);
    const sent = makeMessage({ body });
    await link.send(queue, sent, 0);
    expect(only(await take()).message).toEqual(sent);
    const takenAgain = `select text is not null as text, bytes is not null as bytes
      from ${at}.take_messages('orders', 1, 1000, 1000, false)`;
    await postgres.pool.query(`update ${at}.messages set leased_until = sent_at`);
    expect((await postgres.pool.query(takenAgain)).rows).toEqual([{ text: isText, bytes: !isText }]);
  });

  it("knows again whether a body is text when another takes its place", async () => {
    const { link, take } = await setup(postgres.database);
    const [text, bytes] = [makeMessage({ body: "text" }), makeMessage({ body: Uint8Array.of(0xff) })];
    await link.send(queue, text, 0);
    let taken = only(await take());
    for (const next of [bytes, text]) {
      await link.replace(taken.receipt, next, 0);
      taken = only(await take());
      expect(taken.message).toEqual(next);
    }
  });

  it("hands text over as it came in a database that is not in UTF-8", async () => {
    const name = `latin_${crypto.randomUUID().slice(0, 8)}`;
    await postgres.pool.query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
    const latin = new URL(postgres.url);
    latin.pathname = name;
    const pool = postgres.otherPool({ connectionString: latin.href });
    const { link, take } = await setup(pgDatabase(pool, { listener: false }));
    const sent = makeMessage({ body: "日本語", headers: { from: "日本" } });
    await link.send(queue, sent, 0);
    expect(only(await take()).message).toEqual(sent);
  });

  it("hands over a row that somebody wrote by hand, whatever its headers", async () => {
    const { at, take } = await setup(postgres.database);
    await postgres.pool.query(`insert into ${at}.messages (queue, headers, body) values ('orders', 'no JSON', 'x')`);
    expect(only(await take()).message.headers).toEqual([
      { name: "undecodable", value: { type: "bytes", value: new Uint8Array(Buffer.from("no JSON")) } },
    ]);
  });

  it("refuses a pool whose transactions do not see what others commit", async () => {
    const options = "-c default_transaction_isolation=serializable";
    const database = pgDatabase(postgres.otherPool({ options }), { listener: false });
    await expect(setup(database)).rejects.toMatchObject({
      code: "INVALID_OPTION",
      details: { isolation: "serializable" },
    });
  });
});
