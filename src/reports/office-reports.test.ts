import { describe, expect, it } from "vitest";
import { Unprocessable } from "../domain/handler-errors.ts";
import { type Address, type Message, makeMessage } from "../domain/message.ts";
import type { Report } from "../domain/report.ts";
import { createConsumer } from "../runtime/consumer.ts";
import type { EffectProbe } from "../runtime/consumer-options.ts";
import { memoryInbox } from "../stores/memory-inbox.ts";
import { fakeHost } from "../testing/fake-host.ts";
import { memoryTransport } from "../transports/memory.ts";
import { memoryBroker } from "../transports/memory-broker.ts";
import type { Transport } from "../transports/transport.ts";
import { type OfficeReportsOptions, officeReports } from "./office-reports.ts";

type Setting = Partial<OfficeReportsOptions> & {
  readonly sendFails?: () => boolean;
  readonly probe?: EffectProbe<string>;
};

/** A consumer that reports, and what it reported. Bodies say what becomes of a message: "dead", or anything else. */
function setup({ sendFails = () => false, probe, ...options }: Setting = {}) {
  const host = fakeHost();
  const broker = memoryBroker({ clock: host.clock });
  const transport = memoryTransport({ broker, host });
  const heard: Report[] = [];
  const send = async (_to: Address, message: Message) => {
    if (sendFails()) throw new Error("away");
    heard.push(JSON.parse(new TextDecoder().decode(message.body)) as Report);
  };
  const consume: Transport["consume"] = (...asked) => transport.consume(...asked);
  const reports = officeReports({ transport: { ...transport, consume, send }, clock: host.clock, ...options });
  const consumer = createConsumer<string>({
    ...{ transport, queue: "orders", host, decode: "text", observers: [reports] },
    ...(probe === undefined ? {} : { probe }),
    ...{ service: "shop", version: "2.14.3", instance: "shop-1", handles: [{ name: "order", versions: ["3"] }] },
    handler: async ({ payload }) => {
      if (payload === "dead") throw new Unprocessable("no");
    },
    inbox: { store: memoryInbox({ clock: host.clock }), windowMs: 86_400_000 },
  });
  const replayed = (body: string, headers: Record<string, string> = {}) =>
    broker.send(
      { name: "orders" },
      makeMessage({
        body,
        headers: { "dlo-queue": "orders", "dlo-letter": "ltr_1", "dlo-replay": "rpl_1/7", ...headers },
      }),
    );
  return {
    clock: host.clock,
    broker,
    consumer,
    reports,
    heard,
    replayed,
    outcomes: () => heard.filter(({ kind }) => kind === "outcome"),
  };
}

describe("reports to the office", () => {
  it.each([
    ["done", "fine"],
    ["dead", "dead"],
  ])("say that a replayed message is %s", async (result, body) => {
    const { clock, consumer, outcomes, replayed } = setup();
    replayed(body);
    void consumer.start();
    await clock.advance(1_000);
    const about = {
      letter: "ltr_1",
      replay: "rpl_1/7",
      queue: "orders",
      service: "shop",
      version: "2.14.3",
      instance: "shop-1",
    };
    expect(outcomes()).toEqual([{ v: 1, kind: "outcome", result, at: expect.any(String) as string, ...about }]);
  });

  it("say that the inbox suppressed a message it knew", async () => {
    const { clock, consumer, outcomes, replayed } = setup();
    replayed("fine", { "dlo-key": "k" });
    replayed("fine", { "dlo-key": "k", "dlo-replay": "rpl_2/1" });
    void consumer.start();
    await clock.advance(1_000);
    expect(outcomes()).toMatchObject([
      { replay: "rpl_1/7", result: "done" },
      { replay: "rpl_2/1", result: "suppressed" },
    ]);
  });

  it("are silent about messages no replay sent here, copied headers or not", async () => {
    const { clock, consumer, outcomes, replayed } = setup();
    replayed("fine", { "dlo-queue": "somewhere-else" });
    void consumer.start();
    await clock.advance(1_000);
    expect(outcomes()).toEqual([]);
  });

  it("say of whose queue a breaker is open, again with each heartbeat until it is closed", async () => {
    const { clock, consumer, heard, reports } = setup({ heartbeatMs: 10_000 });
    void consumer.start();
    await clock.advance(1_000);
    const about = { at: clock.now(), queue: "orders", handler: "orders", breaker: "payments" };
    reports.event({ ...about, type: "breaker-changed", phase: "open" });
    await clock.advance(20_000);
    const said = () => heard.filter(({ kind }) => kind === "breaker");
    const since = new Date(about.at).toISOString();
    const open = { queue: "orders", name: "payments", state: "open", since, service: "shop", instance: "shop-1" };
    expect(said()).toMatchObject([open, open, open]);
    reports.event({ ...about, at: clock.now(), type: "breaker-changed", phase: "closed" });
    await clock.advance(30_000);
    expect(said().slice(3)).toMatchObject([{ state: "closed" }]);
    await consumer.stop();
    await reports.close();
  });

  it("say that the consumer is at work, and what a replay must know of it, until it stops", async () => {
    const { clock, consumer, heard, reports } = setup({ heartbeatMs: 10_000 });
    void consumer.start();
    await clock.advance(25_000);
    expect(heard.map(({ kind }) => kind)).toEqual(["heartbeat", "heartbeat", "heartbeat"]);
    // Five attempts of 30 s, and waits of at most 1, 2, 4 and 8 s.
    const queue = {
      queue: "orders",
      schemas: [{ name: "order", versions: ["3"] }],
      inboxWindowS: 86_400,
      retryHorizonS: 165,
      probe: false,
    };
    expect(heard[0]).toMatchObject({ service: "shop", version: "2.14.3", instance: "shop-1", queues: [queue] });
    await consumer.stop();
    await clock.advance(60_000);
    expect(heard).toHaveLength(3);
    await reports.close();
  });

  it("wait while the broker is away, outcomes in order and the last heartbeat only", async () => {
    let isAway = true;
    const { clock, consumer, heard, outcomes, replayed } = setup({ sendFails: () => isAway, heartbeatMs: 1_000 });
    for (const n of [1, 2, 3]) replayed("fine", { "dlo-replay": `rpl_1/${n}` });
    void consumer.start();
    await clock.advance(60_000);
    expect(heard).toEqual([]);
    isAway = false;
    await clock.advance(1_500);
    expect(outcomes()).toMatchObject([{ replay: "rpl_1/1" }, { replay: "rpl_1/2" }, { replay: "rpl_1/3" }]);
    expect(heard.length).toBeLessThan(8);
  });

  it("drop the oldest rather than fill the memory, and say how many", async () => {
    const { clock, consumer, replayed, reports } = setup({ sendFails: () => true, maxWaiting: 5 });
    for (let n = 1; n <= 20; n++) replayed("fine", { "dlo-replay": `rpl_1/${n}` });
    void consumer.start();
    await clock.advance(5_000);
    expect(reports.dropped).toBe(16);
  });

  it("do not hold up the end of a process when the broker does not answer", async () => {
    const { clock, consumer, reports } = setup({ sendFails: () => true, closeMs: 5_000 });
    void consumer.start();
    await clock.advance(100);
    const closed = Promise.all([reports.close(), reports.close()]);
    await clock.advance(5_000);
    await closed;
  });

  /** Reports of a consumer whose probe has been asked, and answers when it is let. */
  async function asked(setting: Setting = {}) {
    const answers: ((answer: "done") => void)[] = [];
    const world = setup({ ...setting, probe: () => new Promise((resolve) => answers.push(resolve)) });
    const { clock, broker, consumer } = world;
    void consumer.start();
    await clock.advance(100);
    const headers = { "dlo-probe": "q-1", "dlo-probe-until": new Date(clock.now() + 15_000).toISOString() };
    broker.send({ name: "orders.probes" }, makeMessage({ body: "fine", headers }));
    await clock.advance(2_000);
    const [answer] = answers;
    if (answer === undefined) throw new Error("Nobody asked it.");
    return { ...world, answer };
  }

  it("end after the probe that is being asked, and with its answer", async () => {
    const { clock, reports, heard, answer } = await asked();
    let isClosed = false;
    const closed = reports.close().then(() => {
      isClosed = true;
    });
    await clock.advance(1_000);
    expect(isClosed).toBe(false);
    answer("done");
    await clock.advance(1_000);
    await closed;
    expect(heard).toContainEqual(expect.objectContaining({ kind: "probe", question: "q-1", effect: "done" }));
  });

  it("do not wait for a probe longer than they may", async () => {
    const { clock, reports } = await asked({ closeMs: 2_000 });
    const closed = reports.close();
    await clock.advance(2_000);
    await closed;
  });

  it("refuse options that make no sense", () => {
    expect(() => setup({ heartbeatMs: 0 })).toThrow(
      "`heartbeatMs` must be a number, between 100 and 3600000. It is 0.",
    );
    expect(() => setup({ heartbeat: 1 } as Setting)).toThrow("Did you mean `heartbeatMs`?");
  });
});
