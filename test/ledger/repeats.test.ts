import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type GetMessage } from "amqplib";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type OpenedOffice, openOffice } from "../../src/compose.ts";
import { createConsumer, makeMessage } from "../../src/index.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import { dloHere } from "../cli/terminal.ts";
import { startFaultProxy } from "../faults/proxy.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";

const ana = { id: "ana", kind: "human", roles: ["admin"] } as const;
const patience = { withinMs: 60_000 };
const refused = Object.assign(new Error("connect ECONNREFUSED payments:443"), { code: "ECONNREFUSED" });

describeServer("a failure that left two dead letters", noPostgres ?? noRabbitmq, () => {
  const [postgres, rabbitmq] = [usePostgres(), useRabbitmq()];
  const folder = mkdtempSync(join(tmpdir(), "dlo-repeats-"));
  const configFile = join(folder, "dlo.config.yaml");
  let office: OpenedOffice;
  beforeAll(async () => {
    writeFileSync(configFile, `version: 1\nsources:\n  - { name: rabbit, broker: rabbitmq, url: "${rabbitmq.url}" }\n`);
    office = await openOffice({
      ...{ databaseUrl: postgres.url, dataFolder: join(folder, "data"), configFile, env: {}, version: "1.2.3" },
    });
  });
  afterAll(async () => {
    await office?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function channelOf() {
    const connection = await connect(rabbitmq.url);
    // One that is cut off, or asks for a queue that is not there yet, hears so where it asked.
    connection.on("error", () => {});
    const channel = await connection.createConfirmChannel();
    channel.on("error", () => {});
    return { connection, channel };
  }

  /** Of a queue: the letters of it that are in the ledger by now, the first to arrive first. */
  async function drained(queue: string, outcome: object) {
    const progress = await office.call("queues.drain", ana, { source: "rabbit", queue: `${queue}.dlq`, idleMs: 300 });
    expect(progress).toMatchObject(outcome);
    return (await office.call("letters.list", ana, { q: `queue:${queue}`, sort: "arrived" })).items;
  }

  const depthOf = async (queue: string) => {
    const { connection, channel } = await channelOf();
    try {
      return (await channel.checkQueue(queue)).messageCount;
    } finally {
      await connection.close();
    }
  };

  it.each([
    ["first", 1],
    ["third", 3],
  ])("is one letter where our runtime was cut off before it acknowledged the %s attempt", async (_nth, maxAttempts) => {
    const queue = `repeats-${crypto.randomUUID().slice(0, 8)}`;
    const proxy = await startFaultProxy({ port: Number(new URL(rabbitmq.url).port) });
    const [direct, cut] = [
      rabbitmqTransport({ url: rabbitmq.url }),
      rabbitmqTransport({ url: proxy.through(rabbitmq.url), acknowledge: "each" }),
    ];
    let isSlow = false;
    const consumer = createConsumer({
      ...{ transport: cut, queue, breaker: false, retry: { maxAttempts, backoff: { strategy: "fixed", delayMs: 10 } } },
      async handler({ attempt }) {
        // What is said takes long: the acknowledgement is far behind the dead letter.
        if (attempt === maxAttempts && isSlow) proxy.break({ latencyMs: 2_000 });
        throw refused;
      },
    });
    onTestFinished(async () => {
      await consumer.stop();
      await Promise.all([direct.close(), cut.close()]);
      await proxy.close();
    });
    void consumer.start();
    await eventually(() => depthOf(queue), patience);
    // Two messages that are equal in all but that they are two.
    const send = () => direct.send({ name: queue }, makeMessage({ body: '{"order":"o-1"}' }));
    await send();
    await eventually(async () => expect(await depthOf(`${queue}.dlq`)).toBe(1), patience);
    isSlow = true;
    await send();
    await eventually(async () => expect(await depthOf(`${queue}.dlq`)).toBe(2), patience);
    isSlow = false;
    // What it says from now on gets lost; what the broker says of the dead letter does not.
    proxy.break({ swallowed: ["requests"] });
    await eventually(() => expect(proxy.lostBytes).toBeGreaterThan(0), patience);
    proxy.heal();
    await eventually(async () => expect(await depthOf(`${queue}.dlq`)).toBe(3), patience);

    const letters = await drained(queue, { held: 2 });
    expect(letters).toHaveLength(2);
    const [other, repeated] = await Promise.all(letters.map(({ id }) => office.call("letters.get", ana, { id })));
    expect(repeated).toMatchObject({
      attempts: maxAttempts,
      repeatOf: null,
      repeats: [{ drainedFrom: `${queue}.dlq` }],
    });
    expect(other).toMatchObject({ attempts: maxAttempts, repeatOf: null, repeats: [] });
    const { stdout } = await dloHere(["letters", "show", repeated?.id ?? "", "--config", configFile], {
      DATABASE_URL: postgres.url,
    });
    expect(stdout).toContain(`repeated: the same failure came again from ${queue}.dlq at`);
    const plan = await office.call("replays.plan", ana, { q: `queue:${queue}` });
    expect(plan.counts).toMatchObject({ selected: 2 });
    // Back among the dead letters it is no second copy of itself.
    const back = { letters: [repeated?.id ?? ""], reason: "a test", expectCount: 1 };
    expect(await office.call("letters.giveBack", ana, back)).toMatchObject({ letters: 1 });
    expect(await drained(queue, { held: 1 })).toHaveLength(3);
  });

  it("is two letters of another library, of which a plan takes the first", async () => {
    const queue = `repeats-${crypto.randomUUID().slice(0, 8)}`;
    const { channel, connection } = await channelOf();
    onTestFinished(() => connection.close());
    for (const name of [queue, `${queue}.dlq`]) await channel.assertQueue(name, { durable: true });
    const bodies = [
      ["m-1", '{"order":"o-1"}'],
      ["m-2", '{"order":"o-1"}'],
    ];
    for (const [messageId = "", body = ""] of bodies) channel.sendToQueue(queue, Buffer.from(body), { messageId });
    await channel.waitForConfirms();

    /** As consumers do: they send it on, with what went wrong, and acknowledge it then. */
    const giveUp = async (
      { connection: ownLine, channel: own }: Awaited<ReturnType<typeof channelOf>>,
      isCut: boolean,
    ) => {
      const message = (await own.get(queue)) as GetMessage;
      const { messageId = "" } = message.properties as { readonly messageId?: string };
      const error = { "x-exception-message": refused.message, "x-exception-code": "ECONNREFUSED" };
      own.sendToQueue(`${queue}.dlq`, message.content, { messageId, headers: error });
      await own.waitForConfirms();
      if (!isCut) return own.ack(message);
      const { stream } = ownLine.connection as unknown as { readonly stream: Socket };
      stream.destroy();
      await once(stream, "close");
    };
    await giveUp(await channelOf(), true);
    const rest = await channelOf();
    onTestFinished(() => rest.connection.close());
    await eventually(async () => expect(await depthOf(queue)).toBe(2), patience);
    for (let n = 0; n < 2; n++) await giveUp(rest, false);
    await eventually(async () => expect(await depthOf(`${queue}.dlq`)).toBe(3), patience);

    const letters = await drained(queue, { held: 3 });
    const shown = await Promise.all(letters.map(({ id }) => office.call("letters.get", ana, { id })));
    const [first, second] = shown.filter(({ properties }) => JSON.stringify(properties).includes("m-1"));
    expect([first?.repeatOf, second?.repeatOf]).toEqual([null, first?.id]);
    expect(shown.filter(({ repeatOf }) => repeatOf !== null)).toHaveLength(1);
    await office.call("letters.classify", ana, {
      ...{ letters: letters.map(({ id }) => id), category: "transient", reason: "payments was down", expectCount: 3 },
    });
    const plan = await office.call("replays.plan", ana, { q: `queue:${queue}`, redirect: queue });
    const { items } = await office.call("replays.items", ana, { id: plan.id });
    const sentence = `It is probably the same failure as ${first?.id}: message id, body, queue and attempt are equal.`;
    expect(items.find(({ letter }) => letter === second?.id)).toMatchObject({
      ...{
        decision: "ack_required",
        reason: { code: "repeat.probable", sentence: expect.stringContaining(sentence) as string },
      },
    });
    expect(items.filter(({ reason }) => reason.code === "repeat.probable")).toHaveLength(1);
    // Back among the dead letters it is no second copy of itself.
    const alone = shown.find(({ properties }) => JSON.stringify(properties).includes("m-2"));
    const back = { letters: [alone?.id ?? ""], reason: "a test", expectCount: 1 };
    expect(await office.call("letters.giveBack", ana, back)).toMatchObject({ letters: 1 });
    const again = (await drained(queue, { held: 1 })).find(({ id }) => !letters.some((letter) => letter.id === id));
    expect(await office.call("letters.get", ana, { id: again?.id ?? "" })).toMatchObject({ repeatOf: null });
  });
});
