import { getEventListeners, once } from "node:events";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readDeadLetter } from "../../src/dialects/read-dead-letter.ts";
import type { Clock } from "../../src/domain/clock.ts";
import type { Database } from "../../src/domain/database.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { wire } from "../../src/domain/wire.ts";
import { memoryTransport } from "../../src/index.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { oldestPerQueue } from "../../src/ledger/search/count-queues.ts";
import { failureHours } from "../../src/ledger/search/failure-hours.ts";
import { type DrainProgress, type DrainTuning, drain } from "../../src/office/intake/drain.ts";
import type { ReadingRoom } from "../../src/office/intake/read-letters.ts";
import { systemHost } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { startFaultProxy } from "../faults/proxy.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import { tester, testRoom } from "./letters.ts";

const newQueue = () => `drained-${crypto.randomUUID()}.dlq`;
/** Longer than a busy broker takes from one message to the next. */
const idleMs = 1_500;
const lingerMs = 5;
const quick: DrainTuning = { idleMs, lingerMs };
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

interface How {
  readonly tuning?: DrainTuning;
  readonly room?: ReadingRoom;
  readonly database?: Database;
  readonly clock?: Clock;
}

describeServer("a drain", noPostgres ?? noRabbitmq, () => {
  const postgres = usePostgres();
  const rabbitmq = useRabbitmq();
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: postgres.database });
  });

  function start(transport: Transport, queue: string, how: How = {}) {
    const { tuning = quick, room = testRoom(), database = postgres.database, clock = systemHost.clock } = how;
    const host = { ...systemHost, clock };
    const parts = { transport, from: { name: queue }, source: "s", room, actor: tester, host };
    const stop = new AbortController();
    const steps: DrainProgress[] = [];
    const ended = drain(
      { ...parts, ledger: { ...ledger, database }, signal: stop.signal, onProgress: (step) => steps.push(step) },
      tuning,
    );
    return { ended, stop, steps };
  }

  async function bodiesFrom(queue: string): Promise<number[]> {
    const { rows } = await postgres.pool.query<{ body: Buffer }>(
      "select b.body from dlo.bodies b join dlo.letters l on l.id = b.letter_id where l.drained_from = $1",
      [queue],
    );
    return rows.map(({ body }) => Number(body.toString())).sort((a, b) => a - b);
  }

  const transports: readonly [string, () => Transport][] = [
    ["RabbitMQ", () => rabbitmqTransport({ url: rabbitmq.url })],
    ["PostgreSQL", () => postgresTransport({ database: postgres.database })],
    ["memory", () => memoryTransport()],
  ];

  it("does not take a broker that is away for an empty queue", async () => {
    const transport = rabbitmqTransport({ url: rabbitmq.url.replace(/:[^:@/]+@/, ":wrong@") });
    onTestFinished(() => transport.close());
    await expect(start(transport, newQueue()).ended).rejects.toMatchObject({ code: "TRANSPORT_UNAVAILABLE" });
  });

  it("does not take a broker that never lets it in for an empty queue", async () => {
    const clock = fakeClock();
    const shut: Transport = {
      ...{ broker: "memory", capabilities: memoryTransport().capabilities },
      ...{ send: async () => {}, close: async () => {} },
      consume: async (_from, _handle, { signal }) => void (signal.aborted || (await once(signal, "abort"))),
    };
    const { ended, stop } = start(shut, newQueue(), { clock });
    await expect(passUntilOver(clock, ended)).rejects.toMatchObject({ code: "TRANSPORT_UNAVAILABLE" });
    // It is begun again under the same signal for as long as the office runs: none of them may stay in memory by it.
    expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  });

  it("does not take a broker that is slow to let it in for an empty queue", async () => {
    const { proxy, direct, proxied } = await throughProxy(rabbitmq.url);
    const queue = newQueue();
    await fill(direct, queue, 10);
    proxy.break({ latencyMs: 100 });
    expect(await start(proxied, queue).ended).toMatchObject({ held: 10, unacknowledged: 0 });
  });

  describe("for which time passes as it is told to", () => {
    it("does not take a ledger that is slow for an empty queue", async () => {
      const clock = fakeClock();
      const transport = memoryTransport({ host: { ...systemHost, clock } });
      onTestFinished(() => transport.close());
      const queue = newQueue();
      await fill(transport, queue, 1);
      let answer = () => {};
      const slow = new Promise<void>((resolve) => {
        answer = resolve;
      });
      let isAsked = false;
      const database: Database = {
        ...postgres.database,
        async transaction(run) {
          isAsked = true;
          await slow;
          return postgres.database.transaction(run);
        },
      };
      const { ended, steps } = start(transport, queue, { database, clock });
      await passUntil(clock, () => isAsked);
      await clock.advance(10 * idleMs);
      answer();
      await eventually(() => expect(steps.at(-1)?.held).toBe(1));
      await clock.advance(idleMs / 2);
      await fill(transport, queue, 1);
      await passUntilOver(clock, ended);
      expect(await ended).toMatchObject({ held: 2, unacknowledged: 0 });
    });

    it("does not take a time in which it was stopped itself for silence", async () => {
      const passing = fakeClock();
      let sleptMs = 0;
      const clock: Clock = { ...passing, now: () => passing.now() + sleptMs };
      const transport = memoryTransport({ host: { ...systemHost, clock } });
      onTestFinished(() => transport.close());
      const queue = newQueue();
      await fill(transport, queue, 1);
      const { ended, steps } = start(transport, queue, { clock });
      // In small steps: what passes after it is held, and before that is seen, is silence already.
      await passUntil(passing, () => steps.at(-1)?.held === 1, lingerMs);
      sleptMs = 10 * idleMs;
      await passing.advance(idleMs / 2);
      await fill(transport, queue, 1);
      await passUntilOver(passing, ended);
      expect(await ended).toMatchObject({ held: 2, unacknowledged: 0 });
    });
  });

  describe.each(transports)("of %s", (_name, open) => {
    it("takes all there is, acknowledges it, and ends", async () => {
      const transport = open();
      onTestFinished(() => transport.close());
      const queue = newQueue();
      await fill(transport, queue, 1_234);
      expect(await start(transport, queue).ended).toMatchObject({ held: 1_234, known: 0, unacknowledged: 0 });
      expect(await bodiesFrom(queue)).toEqual(upTo(1_234));
      expect(await start(transport, queue).ended).toMatchObject({ held: 0, known: 0 });
    });

    it("knows how long letters have been dead that lay in their queue for weeks", async () => {
      const transport = open();
      onTestFinished(() => transport.close());
      const queue = newQueue();
      const failedAt = new Date(Date.now() - 21 * 86_400_000).toISOString();
      const origin = queue.replace(".dlq", "");
      const headers = { [wire.queue]: origin, [wire.reason]: "attempts_exhausted", [wire.failedAt]: failedAt };
      await Promise.all(upTo(50).map((n) => transport.send({ name: queue }, makeMessage({ body: `${n}`, headers }))));
      const room = { ...testRoom(), read: readDeadLetter };
      expect(await start(transport, queue, { room }).ended).toMatchObject({ held: 50 });
      const [oldest] = (await oldestPerQueue(ledger)).filter((each) => each.queue === origin);
      expect(oldest?.failedAt).toBe(failedAt);
      const { queues } = await failureHours(ledger, Date.now());
      expect(queues.filter((each) => each.queue === origin)).toEqual([]);
    });

    it("goes on until it is stopped where it is told to, and leaves nothing half done", async () => {
      const transport = open();
      onTestFinished(() => transport.close());
      const queue = newQueue();
      await fill(transport, queue, 10);
      const { ended, stop, steps } = start(transport, queue, { tuning: { ...quick, idleMs: null } });
      await eventually(() => expect(steps.at(-1)?.held).toBe(10), { withinMs: 120_000 });
      await fill(transport, queue, 10);
      await eventually(() => expect(steps.at(-1)?.held).toBe(20), { withinMs: 120_000 });
      stop.abort();
      expect(await ended).toMatchObject({ held: 20 });
    });
  });

  it("asks again when the ledger does not answer, and holds each letter once", async () => {
    const transport = rabbitmqTransport({ url: rabbitmq.url });
    onTestFinished(() => transport.close());
    const queue = newQueue();
    await fill(transport, queue, 100);
    let failures = 3;
    const failing: Database = {
      ...postgres.database,
      async transaction(run) {
        const result = await postgres.database.transaction(run);
        if (failures-- > 0) throw new Error("the answer was lost");
        return result;
      },
    };
    await start(transport, queue, { tuning: { ...quick, batch: 30 }, database: failing }).ended;
    expect(await bodiesFrom(queue)).toEqual(upTo(100));
  });

  it("recognises what comes again after the connection was lost", async () => {
    const { proxy, direct, proxied } = await throughProxy(rabbitmq.url);
    const queue = newQueue();
    await fill(direct, queue, 2_000);
    const { ended, steps } = start(proxied, queue, { tuning: { ...quick, batch: 50, idleMs: 3_000 } });
    for (const held of [100, 600, 1_200]) {
      await expect.poll(() => steps.at(-1)?.held ?? 0, { timeout: 120_000, interval: 1 }).toBeGreaterThan(held);
      proxy.reset();
    }
    await ended;
    expect(await bodiesFrom(queue)).toEqual(upTo(2_000));
  });

  it("shares a queue with others", async () => {
    const transports = [1, 2, 3].map(() => rabbitmqTransport({ url: rabbitmq.url }));
    onTestFinished(async () => void (await Promise.all(transports.map((transport) => transport.close()))));
    const queue = newQueue();
    await fill(transports[0] as Transport, queue, 1_000);
    await Promise.all(
      transports.map((transport) => start(transport, queue, { tuning: { ...quick, batch: 40 } }).ended),
    );
    expect(await bodiesFrom(queue)).toEqual(upTo(1_000));
  });
});

/** Little by little, since the ledger answers in its own time. */
function passUntil(clock: FakeClock, isSo: () => boolean, stepMs = idleMs / 3): Promise<void> {
  return eventually(
    async () => {
      await clock.advance(stepMs);
      return isSo();
    },
    { withinMs: 120_000 },
  );
}

async function passUntilOver<Result>(clock: FakeClock, ended: Promise<Result>): Promise<Result> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  ended.then(end, end);
  await passUntil(clock, () => isOver);
  return ended;
}

async function fill(transport: Transport, queue: string, count: number): Promise<void> {
  const sends = Array.from({ length: count }, (_, n) => transport.send({ name: queue }, makeMessage({ body: `${n}` })));
  await Promise.all(sends);
}

async function throughProxy(url: string) {
  const proxy = await startFaultProxy({ port: Number(new URL(url).port) });
  const direct = rabbitmqTransport({ url: url });
  const proxied = rabbitmqTransport({ url: proxy.through(url) });
  onTestFinished(async () => {
    await Promise.all([direct.close(), proxied.close()]);
    await proxy.close();
  });
  return { proxy, direct, proxied };
}
