import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Clock } from "../../src/domain/clock.ts";
import type { Database } from "../../src/domain/database.ts";
import { createConsumer, makeMessage, Unprocessable } from "../../src/index.ts";
import { postgresBlockedKeys } from "../../src/postgres.ts";
import { rabbitmqTransport } from "../../src/rabbitmq.ts";
import { systemClock } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { exitCodeOf } from "../cli/dlo.ts";
import { clientOf, enrol, minuteMs, type UpOffice, useOffices } from "../http/up-process.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";

const reason = "the account is closed";

/** Ten times as fast: a consumer looks for release messages twice a minute. */
const hurried: Clock = { now: () => systemClock.now() * 10, after: (ms, run) => systemClock.after(ms / 10, run) };

interface Servers {
  readonly database: Database;
  /** Of the broker. */
  readonly url: string;
}

interface Bookings {
  readonly queue: string;
  readonly dead: readonly number[];
  readonly clock?: Clock;
}

/** Bookings of account 7, of which those dead die: what they ran in is the order that was kept. */
async function bookings({ database, url }: Servers, { queue, dead, clock = systemClock }: Bookings) {
  const ran: number[] = [];
  const store = postgresBlockedKeys({ database: database });
  const transport = rabbitmqTransport({ url: url, orderedQueues: "all" });
  const consumer = createConsumer<{ readonly n: number }>({
    ...{ transport, queue, order: "key", blockedKeys: store, retry: { maxAttempts: 1 }, breaker: false },
    host: { newId: () => crypto.randomUUID(), random: Math.random, clock },
    handler: async ({ payload: { n } }) => {
      if (dead.includes(n)) throw new Unprocessable(`booking ${n} has no account`);
      ran.push(n);
    },
  });
  void consumer.start();
  onTestFinished(async () => {
    await consumer.stop();
    await transport.close();
  });
  for (let n = 1; n <= 4; n++)
    await transport.send({ name: queue }, makeMessage({ body: JSON.stringify({ n }), key: "account-7" }));
  const behind = async (count: number) =>
    eventually(async () => expect(await store.list(queue)).toMatchObject([{ state: "dead", behind: count }]), {
      withinMs: minuteMs,
    });
  return { ran, store, behind };
}

describeServer("a key that a dead letter blocks", noPostgres ?? noRabbitmq, () => {
  const postgres = usePostgres();
  const rabbitmq = useRabbitmq();
  const { folder, up } = useOffices();
  const servers = (): Servers => ({ database: postgres.database, url: rabbitmq.url });
  let cookie = "";

  /** A server that drains these queues; their consumers keep their blocked keys at `keys`. */
  async function serve(queues: string, keys: string | null) {
    const source = `name: rabbit, broker: rabbitmq, url: "${rabbitmq.url}"${keys === null ? "" : `, keys: { url: "${keys}" }`}`;
    const config = `version: 1\nsources: [{ ${source}, queues: [{ match: "${queues}.dlq", mode: drain }] }]\n`;
    const server = await up({ DLO_DATA: join(folder, "data"), DATABASE_URL: postgres.url }, config);
    if (cookie === "") cookie = await enrol(server.url, join(folder, "data"));
    return { server, ask: clientOf(server.url, cookie) };
  }

  type Ask = Awaited<ReturnType<typeof serve>>["ask"];

  async function drained(ask: Ask, queue: string, count: number): Promise<string> {
    await eventually(async () => expect((await ask("letters.count", { q: `queue:${queue}` })).n).toBe(count), {
      withinMs: minuteMs,
    });
    return (await ask("letters.list", { q: `queue:${queue}` })).items[0]?.id ?? "";
  }

  async function kill({ child }: UpOffice): Promise<void> {
    child.kill("SIGKILL");
    await exitCodeOf(child);
  }

  it("goes on behind a letter that was dropped, though the server died before it could release it, and once only", async () => {
    const queue = `bookings-${crypto.randomUUID().slice(0, 8)}`;
    const { ran, store, behind } = await bookings(servers(), { queue, dead: [1, 3] });
    await behind(3);
    const away = await serve(queue, "postgres://dlo@127.0.0.1:1/nowhere");
    const letter = await drained(away.ask, queue, 1);
    const listed = await away.ask("keys.list", {});
    expect(listed.unchecked).toMatchObject([
      { source: "rabbit", why: expect.stringContaining("ECONNREFUSED") as string },
    ]);
    expect(listed.items).toMatchObject([
      { queue, key: "account-7", state: null, behind: null, letter: { id: letter } },
    ]);
    await away.ask("letters.drop", { letters: [letter], reason });
    const [waiting] = (await away.ask("keys.get", { place: letter })).items;
    expect(waiting?.release).toMatchObject({ because: "dropped", state: "pending" });
    await kill(away.server);
    expect(ran).toEqual([]);

    const { ask } = await serve(queue, postgres.url);
    // 3 is dead too, by a place of its own.
    await behind(1);
    expect(ran).toEqual([2]);
    expect((await ask("keys.get", { place: letter })).items).toMatchObject([
      { state: null, release: { state: "released" } },
    ]);
    const again = await ask("keys.release", { place: letter, reason: "once more" });
    expect(again.items).toMatchObject([{ state: null, release: { because: "dropped", state: "released" } }]);
    const [held] = await store.list(queue);
    expect([held?.state, ran]).toEqual(["dead", [2]]);

    const second = await drained(ask, queue, 2);
    const [place] = (await ask("keys.list", { queue })).items;
    expect(place).toMatchObject({ number: held?.number, behind: 1, letter: { id: second }, release: null });
    await ask("keys.release", { place: place?.place ?? "", reason });
    await eventually(() => expect(ran).toEqual([2, 4]), { withinMs: minuteMs });
    await eventually(async () => expect(await store.list(queue)).toEqual([]));
    const { items: entries } = await ask("audit.list", { limit: 20 });
    const actions = entries.map(({ action, actor }) => [action, actor]);
    expect(actions).toContainEqual(["keys.release", "ana"]);
    expect(actions.filter(([action]) => action === "keys.released")).toHaveLength(2);
  }, 240_000);

  it("goes on where the server does not know its store: its consumer reads the release from its parked messages", async () => {
    const queue = `bookings-${crypto.randomUUID().slice(0, 8)}`;
    const { ran, store, behind } = await bookings(servers(), { queue, dead: [1], clock: hurried });
    await behind(3);
    const { ask } = await serve(queue, null);
    const letter = await drained(ask, queue, 1);
    expect((await ask("keys.list", { queue })).unchecked).toMatchObject([
      { source: "rabbit", why: expect.stringContaining("`keys:`") as string },
    ]);
    expect(await ask("letters.drop", { letters: [letter], reason })).toEqual({ letters: 1, released: 1 });
    await eventually(() => expect(ran).toEqual([2, 3, 4]), { withinMs: minuteMs });
    await eventually(async () => expect(await store.list(queue)).toEqual([]));
    expect((await ask("keys.get", { place: letter })).items).toMatchObject([{ release: { state: "sent" } }]);
  }, 240_000);
});
