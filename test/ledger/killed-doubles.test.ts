import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "amqplib";
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from "vitest";
import { type OpenedOffice, openOffice } from "../../src/compose.ts";
import type { Actor } from "../../src/domain/actor.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { rabbitmqTransport } from "../../src/rabbitmq.ts";
import { eventually } from "../../src/testing/eventually.ts";
import type { Failpoint } from "../chaos/failpoint.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import type { DoublingTask } from "./doubling-process.ts";

const ana: Actor = { id: "ana", kind: "human", roles: ["admin"] };
const patience = { withinMs: 90_000 };
const script = fileURLToPath(import.meta.resolve("./doubling-process.ts"));
const body = '{"order":"o-1"}';

/** The broker has it, and the process dies before it can acknowledge what it made that of. */
const afterRetry: Failpoint = { step: "retry", moment: "after" };
const afterDeath: Failpoint = { step: "dead-letter", moment: "after" };

const policy = `version: 1
protocols:
  transient: { bulk: true, rate: 100, ramp: { steps: [], onUnknown: continue }, settle: { min: 1s } }
`;

describeServer("a consumer on RabbitMQ that is killed before it acknowledges", noPostgres ?? noRabbitmq, () => {
  const [postgres, rabbitmq] = [usePostgres(), useRabbitmq()];
  const keys = usePostgres();
  const { start, dieOnce, killAll } = useConsumers(rabbitmq);
  const { sendTwo, sendAsOthers, depthOf, deadLetters } = brokerOf(rabbitmq);
  const folder = mkdtempSync(join(tmpdir(), "dlo-killed-doubles-"));
  let office: OpenedOffice;
  beforeAll(async () => {
    const configFile = join(folder, "dlo.config.yaml");
    const source = `name: rabbit, broker: rabbitmq, url: "${rabbitmq.url}", management: "${rabbitmq.managementUrl}"`;
    writeFileSync(configFile, `version: 1\nsources: [{ ${source}, keys: { url: "${keys.url}" } }]\n`);
    const settings = { databaseUrl: postgres.url, dataFolder: join(folder, "data"), configFile, env: {} };
    office = await openOffice({ ...settings, version: "1.2.3" });
    await office.call("policy.apply", ana, { text: policy });
    await office.startWork(["replay"]);
  });
  afterAll(async () => {
    await office?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function drained(queue: string) {
    await office.call("queues.drain", ana, { source: "rabbit", queue: `${queue}.dlq`, idleMs: 500 });
    const { items } = await office.call("letters.list", ana, { q: `queue:${queue}`, sort: "arrived" });
    return Promise.all(items.map(({ id }) => office.call("letters.get", ana, { id })));
  }

  it.each([
    // An ordered consumer knows the second copy by its number, and drops it: only its second dead letter can be there.
    ["after its first retry", afterRetry, "no order", 3],
    ["after its first retry", afterRetry, "order", 2],
    ["after its dead letter", afterDeath, "no order", 3],
    ["after its dead letter", afterDeath, "order", 3],
  ] as const)("leaves one letter of each message of ours: %s, %o, %s", async (_when, failpoint, order, dead) => {
    const queue = newQueue();
    const task = { queue, maxAttempts: 2, keysUrl: order === "order" ? keys.url : null };
    await sendTwo(queue, "ours");
    await dieOnce(task, failpoint);
    await deadLetters(queue, dead);
    const letters = await drained(queue);
    expect(letters).toHaveLength(2);
    expect(letters.map(({ repeatOf }) => repeatOf)).toEqual([null, null]);
    expect(letters.flatMap(({ repeats }) => repeats)).toHaveLength(dead - 2);
  });

  it("leaves one letter of a message that somebody else sent, once it was retried", async () => {
    const queue = newQueue();
    await sendTwo(queue, "ours");
    const task = { queue, maxAttempts: 2, keysUrl: null };
    start({ ...task, failpoint: null });
    await deadLetters(queue, 2);
    killAll();
    await drained(queue);
    await sendAsOthers(queue, "c");
    await dieOnce(task, afterDeath);
    await deadLetters(queue, 2);
    expect((await drained(queue)).map(({ repeats }) => repeats.length).toSorted((a, b) => a - b)).toEqual([0, 0, 1]);
  });

  it("says which is probably a copy, where it died after the first retry of what somebody else sent", async () => {
    const queue = newQueue();
    const makes = rabbitmqTransport({ url: rabbitmq.url });
    onTestFinished(() => makes.close());
    const task = { queue, maxAttempts: 2, keysUrl: null };
    const first = start({ ...task, failpoint: null });
    await eventually(() => depthOf(queue), patience);
    first.kill("SIGKILL");
    await sendTwo(queue, "others");
    await dieOnce(task, afterRetry);
    await deadLetters(queue, 3);
    const letters = await drained(queue);
    const copies = letters.filter(({ repeatOf }) => repeatOf !== null);
    expect([letters.length, copies.length]).toEqual([3, 1]);
    expect(letters.map(({ id }) => id)).toContain(copies[0]?.repeatOf);
  });

  it.each(["no order", "order"] as const)("gives a replayed letter one more attempt, not two: %s", async (order) => {
    const queue = newQueue();
    const task = { queue, maxAttempts: 1, keysUrl: order === "order" ? keys.url : null };
    await sendTwo(queue, "ours");
    const first = start({ ...task, failpoint: null });
    await deadLetters(queue, 2);
    first.kill("SIGKILL");
    const [letter, other] = await drained(queue);
    const { id } = await office.call("replays.plan", ana, { letters: [letter?.id ?? ""] });
    const { reasons } = await office.call("replays.get", ana, { id });
    const reason = "payments is back";
    for (const { decision, code } of reasons)
      if (decision === "ack_required") await office.call("replays.acknowledge", ana, { id, code, reason });
    const { state, approvalHash: hash } = await office.call("replays.ask", ana, { id, reason });
    const approver: Actor = { id: "ops-2", kind: "human", roles: ["approver"] };
    if (state === "awaiting_approval") await office.call("replays.approve", approver, { id, hash, reason });
    await office.call("replays.start", ana, { id, expectCount: 1 });
    await dieOnce(task, afterDeath);
    // A replay that runs drains what comes back to it by itself.
    const returned = async () => (await drained(queue)).find((each) => each.id === letter?.id);
    const both = { state: "returned", repeats: [{ drainedFrom: `${queue}.dlq` }] };
    await eventually(async () => expect(await returned()).toMatchObject(both), patience);
    expect((await returned())?.history.filter(({ kind }) => kind === "returned")).toHaveLength(1);
    expect(await office.call("letters.get", ana, { id: other?.id ?? "" })).toMatchObject({
      state: "open",
      repeats: [],
    });
  });
});

interface Broker {
  readonly url: string;
}

/** Consumers in processes of their own. */
function useConsumers(broker: Broker) {
  const children = new Set<ChildProcess>();
  const killAll = () => {
    for (const child of children) child.kill("SIGKILL");
  };
  afterEach(killAll);

  function start(task: Omit<DoublingTask, "url">): ChildProcess {
    const argument = JSON.stringify({ url: broker.url, ...task });
    const child = spawn(process.execPath, [script, argument], { stdio: ["ignore", "inherit", "inherit"] });
    children.add(child);
    child.once("exit", () => children.delete(child));
    return child;
  }

  /** Until it has died where it should; another then does what it left. */
  async function dieOnce(task: Omit<DoublingTask, "url" | "failpoint">, failpoint: Failpoint): Promise<ChildProcess> {
    const child = start({ ...task, failpoint });
    await eventually(() => expect(child.signalCode).toBe("SIGKILL"), patience);
    return start({ ...task, failpoint: null });
  }

  return { start, dieOnce, killAll };
}

function brokerOf(broker: Broker) {
  /** Two that are equal, but that they are two. */
  async function sendTwo(queue: string, by: "ours" | "others"): Promise<void> {
    const sender = rabbitmqTransport({ url: broker.url, orderedQueues: "all" });
    onTestFinished(() => sender.close());
    const name = { name: queue };
    for (const key of ["a", "b"]) {
      if (by === "ours") await sender.send(name, makeMessage({ body, key }));
      else await sendAsOthers(queue, key);
    }
  }

  async function sendAsOthers(queue: string, key: string): Promise<void> {
    const connection = await connect(broker.url);
    const channel = await connection.createConfirmChannel();
    channel.sendToQueue(queue, Buffer.from(body), { messageId: `m-${key}`, headers: { "dlo-order": key } });
    await channel.waitForConfirms();
    await connection.close();
  }

  const depthOf = async (queue: string): Promise<number> => {
    const connection = await connect(broker.url);
    connection.on("error", () => {});
    try {
      const channel = await connection.createChannel();
      channel.on("error", () => {});
      return (await channel.checkQueue(queue)).messageCount;
    } finally {
      await connection.close();
    }
  };

  const deadLetters = (queue: string, count: number) =>
    eventually(async () => expect(await depthOf(`${queue}.dlq`)).toBe(count), patience);

  return { sendTwo, sendAsOthers, depthOf, deadLetters };
}

function newQueue(): string {
  return `doubles-${crypto.randomUUID().slice(0, 8)}`;
}
