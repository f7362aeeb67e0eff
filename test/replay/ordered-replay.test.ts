import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type OpenedOffice, openOffice } from "../../src/compose.ts";
import { pgliteDatabase } from "../../src/databases/pglite.ts";
import type { Actor } from "../../src/domain/actor.ts";
import { type Address, done, makeMessage, queueName } from "../../src/domain/message.ts";
import { clockSkewMs } from "../../src/domain/protocol.ts";
import { queueNames } from "../../src/domain/wire.ts";
import { officeReports } from "../../src/reports/office-reports.ts";
import { createConsumer } from "../../src/runtime/consumer.ts";
import { laneNumber } from "../../src/runtime/lane-number.ts";
import { memorySource } from "../../src/sources/memory-source.ts";
import type { OpenedSource } from "../../src/sources/opened-source.ts";
import { postgresSource } from "../../src/sources/postgres-source.ts";
import type { BlockedKeys } from "../../src/stores/blocked-keys.ts";
import { memoryBlockedKeys } from "../../src/stores/memory-blocked-keys.ts";
import { postgresBlockedKeys } from "../../src/stores/postgres-blocked-keys.ts";
import { systemHost } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { kafkaTransport } from "../../src/transports/kafka/transport.ts";
import { memoryTransport } from "../../src/transports/memory.ts";
import { memoryBroker } from "../../src/transports/memory-broker.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import { sqsTransport } from "../../src/transports/sqs/transport.ts";
import type { Handle, Transport } from "../../src/transports/transport.ts";
import { tester } from "../ledger/letters.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noSqs, sqsCredentials } from "../servers/elasticmq.ts";
import { noKafka } from "../servers/kafka.ts";
import { startPglite } from "../servers/pglite.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { useKafka } from "../servers/use-kafka.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import { useSqs } from "../servers/use-sqs.ts";

/** A broker that keeps the order of keys, and how the server gets there. */
interface OrderedBroker {
  readonly transport: Transport;
  readonly store: BlockedKeys;
  /** Of consumers, where the broker asks for one. */
  readonly group?: string;
  /** Of its source, in the configuration; or the source itself. */
  readonly source: string | OpenedSource;
  /** How it spells the name of a dead-letter queue. @default as we do */
  readonly deadLetters?: (queue: string) => string;
}

const approver: Actor = { id: "ops-2", roles: ["approver"], kind: "human" };
const patient = { withinMs: 120_000 };

describeOrdered("memory", undefined, () => async () => {
  const broker = memoryBroker();
  const [transport, store] = [memoryTransport({ broker, holdsBack: false }), memoryBlockedKeys()];
  return { transport, store, source: memorySource(memoryTransport({ broker }), broker, store) };
});

describeOrdered("PGlite", undefined, () => async () => {
  const pglite = await startPglite();
  onTestFinished(() => pglite.close());
  const database = pgliteDatabase(pglite);
  const [transport, store] = [postgresTransport({ database, pollMs: 50 }), postgresBlockedKeys({ database })];
  const parts = { database, schema: "dlo", clock: systemHost.clock };
  return {
    transport,
    store,
    source: { ...postgresSource(postgresTransport({ database }), parts), blockedKeys: store },
  };
});

describeOrdered("PostgreSQL", undefined, () => {
  const { open } = useDatabase();
  return async () => {
    const { database, url } = open();
    const [transport, store] = [postgresTransport({ database, pollMs: 50 }), postgresBlockedKeys({ database })];
    return { transport, store, source: `broker: postgres, url: "${url}"` };
  };
});

describeOrdered("RabbitMQ", noRabbitmq, () => {
  const server = useRabbitmq();
  const { open } = useDatabase();
  return async () => {
    const { database, url } = open();
    const transport = rabbitmqTransport({ url: server.url, orderedQueues: "all" });
    const address = `broker: rabbitmq, url: "${server.url}", management: "${server.managementUrl}"`;
    return { transport, store: postgresBlockedKeys({ database }), source: `${address}, keys: { url: "${url}" }` };
  };
});

describeOrdered("Kafka", noKafka, () => {
  const server = useKafka();
  const { open } = useDatabase();
  return async () => {
    const { database, url } = open();
    const transport = kafkaTransport({ brokers: server.brokers, partitions: 2, retryWaitsMs: [0, 1_000] });
    const address = `broker: kafka, url: "kafka://${server.brokers.join(",")}"`;
    const source = `${address}, keys: { url: "${url}" }`;
    return { transport, store: postgresBlockedKeys({ database }), group: "shop", source };
  };
});

describeOrdered("SQS FIFO", noSqs, () => {
  const server = useSqs();
  const { open } = useDatabase();
  return async () => {
    const { database, url } = open();
    const { accessKeyId, secretAccessKey } = sqsCredentials;
    const { endpoint } = server;
    const transport = sqsTransport({ endpoint, credentials: sqsCredentials, fifo: true, waitMs: 1_000 });
    const withCredentials = URL.parse(endpoint);
    if (withCredentials === null) throw new Error(`not an address: ${endpoint}`);
    Object.assign(withCredentials, { username: accessKeyId, password: encodeURIComponent(secretAccessKey) });
    const source = `broker: sqs, url: "${withCredentials.href}", keys: { url: "${url}" }`;
    const deadLetters = (queue: string) => `${queue}-dlq.fifo`;
    return { transport, store: postgresBlockedKeys({ database }), source, deadLetters };
  };
});

/** Where consumers have their queues or keys: another database than the server's. */
function useDatabase() {
  const postgres = usePostgres();
  return { open: () => ({ database: postgres.database, url: postgres.url }) };
}

function describeOrdered(broker: string, missing: string | undefined, use: () => () => Promise<OrderedBroker>): void {
  describeServer(`replayed letters of an ordered queue on ${broker}`, noPostgres ?? missing, () => {
    const ledger = usePostgres();
    const open = use();

    it("take their own places, run first, and those behind them follow in order", async () => {
      const world = await orderedWorld(await open(), ledger.url);
      const { queue, store, send, succeeded, office, plan, run, texts, letterOf, lane, behind } = world;
      await send("a1", "a2", "a3", "a4", "a5", "a6", "b1", "b2", "b3", "b4", "c1", "c2", "d1", "d2");
      await behind({ a: 5, b: 3, c: 1, d: 1 });
      const [first] = (await store.find([{ ...lane("b"), number: null }])).map(({ blocked }) => blocked?.number ?? 0);
      expect(await store.release([{ ...lane("b"), number: first ?? 0 }])).toEqual(["released"]);
      // Its second message fails too: two dead letters of one key, of which the first has lost its place.
      await behind({ a: 5, b: 2, c: 1, d: 1 });
      await world.drained("a1", "b1", "b2", "c1", "d1");
      expect(succeeded).toEqual([]);
      world.mend();

      const edited = letterOf("c1");
      await office.call("edits.make", tester, { id: edited.id, from: 0, text: "c1 edited", reason: "a typo" });
      const part = await plan("a1", "b1", "c1");
      expect(part.sentences.a1).toContain("5 messages wait behind this letter");
      expect(part.sentences.b1).not.toContain("behind this letter");
      expect(part.reasons).toContainEqual([3, expect.stringContaining("6 messages wait behind these letters.")]);
      await run(part.id, 3);
      await eventually(() => expect(texts("a")).toEqual(["a1", "a2", "a3", "a4", "a5", "a6"]), patient);
      await eventually(() => expect(texts("c")).toEqual(["c1 edited", "c2"]), patient);
      await behind({ b: 3, d: 1 });
      expect(texts("b")).toEqual([]);

      const second = await plan("b2");
      expect(second.sentences.b2).toContain("3 messages wait behind this letter");
      await run(second.id, 1);
      await eventually(() => expect(texts("b")).toEqual(["b2", "b3", "b4", "b1"]), patient);

      // Elsewhere its number is a stranger's: it is a new message there, and keeps its place here.
      const elsewhere = `${queue}-elsewhere`;
      await world.makeQueue(elsewhere);
      await run((await plan("d1", elsewhere)).id, 1);
      expect(await world.numberOf("d1", elsewhere)).toBeNull();
      await behind({ d: 1 });
      const [last] = await store.list(queue);
      await store.release([{ ...lane("d"), number: last?.number ?? 0 }]);
      await eventually(() => expect(texts("d")).toEqual(["d2"]), patient);
      await eventually(async () => expect(await store.list(null)).toEqual([]), patient);
      await eventually(async () => {
        const { items } = await office.call("letters.list", tester, { q: `queue:${queue}` });
        const states = items.flatMap(({ id, state }) => (id === letterOf("d1").id ? [] : [state]));
        expect(states).toEqual(Array.from({ length: 4 }, () => "resolved"));
      }, patient);
    });

    it.runIf(broker === "memory" || broker === "PGlite")("take the places in which they failed again", async () => {
      const world = await orderedWorld(await open(), ledger.url);
      const { store, send, office, behind, lane, texts } = world;
      await send("e1", "e2");
      await behind({ e: 1 });
      const [first] = (await store.find([{ ...lane("e"), number: null }])).map(({ blocked }) => blocked?.number ?? 0);
      await store.release([{ ...lane("e"), number: first ?? 0 }]);
      await eventually(() => expect(texts("e")).toEqual(["e2"]), patient);
      await world.drained("e1");
      await world.run((await world.plan("e1")).id, 1);
      await behind({ e: 0 });
      await send("e3");
      await behind({ e: 1 });
      await eventually(async () => {
        await world.drained("e1");
        const { items } = await office.call("letters.list", tester, { q: `queue:${world.queue}` });
        expect(items.map(({ state }) => state)).toEqual(["returned"]);
      }, patient);
      world.mend();
      const { group } = await office.call("letters.get", tester, { id: world.letterOf("e1").id });
      // As far ahead as clocks may differ: the failure a moment ago is before it.
      const fixedAt = new Date(systemHost.clock.now() + clockSkewMs).toISOString();
      await office.call("fixes.record", tester, { group, called: "the bank is back", fixedAt });
      const again = await world.plan("e1");
      expect(again.sentences.e1).toContain("1 message waits behind this letter");
      await world.run(again.id, 1);
      await eventually(() => expect(texts("e")).toEqual(["e2", "e1", "e3"]), patient);
      await behind({});
    });

    it("are not presumed to have worked while they may be parked", async () => {
      const world = await orderedWorld(await open(), ledger.url, { isReporting: false });
      const { queue, store, office, behind, lane } = world;
      await office.call("policy.apply", tester, { text: policy });
      await world.send("x1", "x2", "y1", "y2");
      await behind({ x: 1, y: 1 });
      const [{ blocked } = { blocked: null }] = await store.find([{ ...lane("x"), number: null }]);
      await store.release([{ ...lane("x"), number: blocked?.number ?? 0 }]);
      await behind({ x: 0, y: 1 });
      await world.drained("x1", "x2", "y1");
      world.mend();
      const { id } = await world.plan("x1", "y1");
      await world.run(id, 2);
      await eventually(() => expect(world.texts("y")).toEqual(["y1", "y2"]), patient);
      // The first has lost its place, and was parked behind the second: its queue is empty all the same.
      await behind({ x: 1 });
      await eventually(async () => {
        const { items } = await office.call("replays.items", tester, { id });
        const outcomes = items.map(({ letter, state }) => [letter === world.letterOf("x1").id ? "x1" : "y1", state]);
        expect(Object.fromEntries(outcomes)).toEqual({ x1: "unknown", y1: "presumed" });
      }, patient);
      expect((await store.list(queue)).length).toBe(1);
    });
  });
}

/** Nothing is waited for that would be reported. */
const policy = `version: 1
protocols:
  transient: { bulk: true, settle: { min: 1s }, approvals: { exemptUpTo: 10 } }
`;

/** An ordered consumer that fails until it is mended, and a server beside it. */
async function orderedWorld(
  { transport, store, group, source, deadLetters = queueNames.deadLetters }: OrderedBroker,
  ledgerUrl: string,
  { isReporting = true } = {},
) {
  const address: Address = {
    name: `accounts-${crypto.randomUUID().slice(0, 8)}`,
    ...(group === undefined ? {} : { group }),
  };
  const queue = queueName(address);
  const broken = new Set(["a1", "b1", "b2", "c1", "d1", "e1", "x1", "x2", "y1"]);
  const succeeded: string[] = [];
  const reports = officeReports({ transport });
  const consumer = createConsumer<string>({
    ...{
      transport,
      queue: address,
      order: "key",
      blockedKeys: store,
      decode: "text",
      breaker: false,
      observers: isReporting ? [reports] : [],
    },
    retry: { maxAttempts: 1, budget: false },
    async handler({ payload }) {
      if (broken.has(payload)) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
      succeeded.push(payload);
    },
  });
  const office = await openServer(ledgerUrl, source);
  onTestFinished(async () => {
    await consumer.stop();
    await reports.close();
    await transport.close();
  });
  await transport.send({ name: address.name }, makeMessage({ body: "z1", key: "z" }));
  void consumer.start();
  await eventually(() => expect(succeeded).toEqual(["z1"]), patient);
  succeeded.length = 0;
  await office.startWork(["replay"]);
  const around = { ...{ queue, store, succeeded, office }, mend: () => broken.clear() };
  return {
    ...around,
    ...queueOf({ transport, store, address }),
    ...deskOf(office, queue, deadLetters(queue)),
    texts: textsOf(succeeded),
  };
}

function textsOf(succeeded: readonly string[]) {
  return (key: string) => succeeded.filter((text) => text.startsWith(key));
}

interface OrderedQueue extends Pick<OrderedBroker, "transport" | "store"> {
  readonly address: Address;
}

/** Who sends to the queue, and looks at what is blocked in it. */
function queueOf({ transport, store, address }: OrderedQueue) {
  const queue = queueName(address);
  return {
    /** Waits until so many messages are behind a dead one of each key, and no other key is blocked. */
    behind: (wanted: Readonly<Record<string, number>>) =>
      eventually(async () => {
        const keys = (await store.list(queue)).map((each) => [`${Buffer.from(each.key)}`, each.state, each.behind]);
        expect(Object.fromEntries(keys.map(([key, state, n]) => [key, state === "dead" ? n : state]))).toEqual(wanted);
      }, patient),
    lane: (key: string) => ({ queue, key: new TextEncoder().encode(key) }),
    async send(...bodies: readonly string[]) {
      for (const body of bodies)
        await transport.send({ name: address.name }, makeMessage({ body, key: body.slice(0, 1) }));
    },
    /** With one for its dead letters: nothing is replayed to where a second failure would be lost. */
    async makeQueue(name: string): Promise<void> {
      for (const each of [name, queueNames.deadLetters(name)])
        await transport.send({ name: each }, makeMessage({ body: "z1", key: "z" }));
    },
    /** Reads a queue until that message comes. */
    async numberOf(body: string, name: string): Promise<number | null> {
      const stop = new AbortController();
      let number: number | null = null;
      const options = { concurrency: 1, prefetch: 1, order: "none", leaseMs: 30_000, returnDelayMs: 1_000 } as const;
      const handle: Handle = async ({ message }) => {
        if (Buffer.from(message.body).toString() !== body) return done;
        number = laneNumber(message.headers, name);
        stop.abort();
        return done;
      };
      await transport.consume({ ...address, name }, handle, { ...options, signal: stop.signal });
      return number;
    },
  };
}

/** An operator at the server. */
function deskOf(office: OpenedOffice, queue: string, deadLetters: string) {
  const letters = new Map<string, { readonly id: string }>();
  const letterOf = (text: string) => letters.get(text) ?? { id: "none" };
  return {
    letterOf,
    async drained(...bodies: readonly string[]) {
      const from = { source: "ours", queue: deadLetters, actor: tester };
      await eventually(async () => {
        await office.drain({ ...from, signal: new AbortController().signal, tuning: { idleMs: 1_000 } });
        const { items } = await office.call("letters.list", tester, { q: `queue:${queue}` });
        for (const { id } of items) {
          const { base64 } = await office.call("letters.body", tester, { id });
          letters.set(Buffer.from(base64, "base64").toString(), { id });
        }
        expect([...letters.keys()].toSorted((one, other) => (one < other ? -1 : 1))).toEqual([...bodies]);
      }, patient);
    },
    async plan(...wanted: readonly string[]) {
      const redirect = wanted.find((text) => text.endsWith("-elsewhere")) ?? null;
      const bodies = wanted.filter((text) => text !== redirect);
      const chosen = { letters: bodies.map((text) => letterOf(text).id), redirect };
      const { id, reasons } = await office.call("replays.plan", tester, chosen);
      const { items } = await office.call("replays.items", tester, { id });
      const sentences = bodies.map((text) => {
        const item = items.find(({ letter }) => letter === letterOf(text).id);
        return [text, item?.reason.sentence ?? ""] as const;
      });
      return { id, reasons: reasons.map(({ n, sentence }) => [n, sentence]), sentences: Object.fromEntries(sentences) };
    },
    async run(id: string, expectCount: number) {
      const reason = "the bank is back";
      const { state, approvalHash: hash } = await office.call("replays.ask", tester, { id, reason });
      if (state === "awaiting_approval") await office.call("replays.approve", approver, { id, hash, reason });
      await office.call("replays.start", tester, { id, expectCount });
    },
  };
}

async function openServer(databaseUrl: string, source: string | OpenedSource) {
  const folder = mkdtempSync(join(tmpdir(), "dlo-ordered-"));
  const configFile = join(folder, "dlo.config.yaml");
  if (typeof source === "string") writeFileSync(configFile, `version: 1\nsources: [{ name: ours, ${source} }]\n`);
  const simulation = {
    host: systemHost,
    open: async () => (typeof source === "string" ? [] : [{ name: "ours", opened: source, queues: [] }]),
  };
  const settings = { databaseUrl, dataFolder: folder, env: {}, version: "0.0.0" };
  const office = await openOffice(
    typeof source === "string" ? { ...settings, configFile } : { ...settings, configFile: null, simulation },
  );
  onTestFinished(async () => {
    await office.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return office;
}
