import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { uuidOf } from "../../src/domain/ids.ts";
import { headerText, type Message } from "../../src/domain/message.ts";
import type { Protocol } from "../../src/domain/protocol.ts";
import { queueNames } from "../../src/domain/wire.ts";
import { noteHeartbeat, workingConsumers } from "../../src/ledger/consumers.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { acknowledge } from "../../src/office/replay/approve-replay.ts";
import { consumeReports } from "../../src/office/replay/consume-reports.ts";
import { hearReport } from "../../src/office/replay/hear-report.ts";
import type { ReplayParts } from "../../src/office/replay/replay-parts.ts";
import { guardedClient } from "../../src/outbound/guarded-client.ts";
import { officeReports } from "../../src/reports/office-reports.ts";
import { createConsumer } from "../../src/runtime/consumer.ts";
import type { ProbedMessage } from "../../src/runtime/consumer-options.ts";
import { systemHost } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { memoryTransport } from "../../src/transports/memory.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { hasProbe, holdLetters, itemsOf, operator, planned, replayWorld, run, started, stateOf } from "./world.ts";

/** What each path answers; the letters' keys are part of it. */
type Answers = Record<string, { readonly status?: number; readonly body?: string }>;

/** A consumer whose probe says what the key of a message says, and an office that hears it. */
async function probing(ledger: Ledger, parts: ReplayParts, queue: string) {
  const transport = memoryTransport();
  const reports = officeReports({ transport });
  const probe = ({ message }: ProbedMessage) => {
    const key = headerText(message.headers, "dlo-key");
    if (key === "throws") throw new Error("the bank does not answer");
    return key as "none";
  };
  const consumer = createConsumer({ transport, queue, probe, handler: async () => {}, observers: [reports] });
  void consumer.start();
  const hear = new AbortController();
  onTestFinished(async () => {
    hear.abort();
    await consumer.stop();
    await reports.close();
    await transport.close();
  });
  const probes = (_source: string, name: string, question: Message) =>
    transport.send({ name: queueNames.probes(name) }, question);
  void consumeReports({
    ...{ transport, group: null, host: systemHost, signal: hear.signal },
    take: (report) => hearReport(ledger, "rabbit", report),
  });
  await eventually(async () =>
    expect((await workingConsumers(ledger, [queue])).get(`rabbit/${queue}`)).toMatchObject([{ probe: true }]),
  );
  return { parts: { ...parts, probe: probes }, consumer, reports, hear };
}

async function outside(answers: Answers): Promise<{ readonly host: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const { status = 404, body = "" } = answers[request.url ?? ""] ?? {};
    response.writeHead(status).end(body);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Letters by that key, whose failure says so much of what they did. */
async function held(ledger: Ledger, queue: string, effect: "none" | "uncertain", keys: readonly string[]) {
  const letters: Uint8Array[] = [];
  for (const key of keys) letters.push(...(await holdLetters(ledger, ["{}"], { queue, "dlo-key": key })));
  const keyed = letters.map((letter, index) => [uuidOf(letter), keys[index]] as const);
  for (const [letter, key] of keyed) {
    const statement = `update ${ledger.at}.letters set side_effect = $3, key = $2 where id = $1`;
    await ledger.database.query(statement, [letter, key, effect]);
  }
  return letters;
}

onEachDatabase("a letter whose effect may have happened", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  /** An office under that protocol that may call this host, or nobody. */
  function office(protocol: Partial<Protocol>, allow: readonly string[]) {
    const { parts, sent } = replayWorld(ledger, { protocol: { ...protocol, approvals: noApprovals } });
    return { parts: { ...parts, call: (url: string) => guardedClient({ allow }).call(url) }, sent };
  }
  const noApprovals = { n: 0, roles: [], expiresS: 3_600, exemptUpTo: 10 };

  const uncertain = (...keys: readonly string[]) => uncertainIn("orders", ...keys);
  const heldIn = (queue: string, effect: "none" | "uncertain", keys: readonly string[]) =>
    held(ledger, queue, effect, keys);
  const uncertainIn = (queue: string, ...keys: readonly string[]) => heldIn(queue, "uncertain", keys);

  it("goes where the policy's probe says that it did not happen, and only there", async () => {
    const { host, asked } = await outside({
      "/charges/a%2F1": { status: 200, body: '{"done":false}' },
      "/charges/b": { status: 200, body: '{"done":true}' },
      "/charges/c": { status: 200, body: "maybe" },
      "/charges/d": { status: 500, body: '{"done":false}' },
    });
    const { parts, sent } = office({ probe: { url: `http://${host}/charges/{key}` } }, [host]);
    const replay = await planned(parts, await uncertain("a/1", "b", "c", "d"));
    expect((await itemsOf(parts, replay)).map(({ decision, reason }) => [decision, reason])).toEqual([
      ["replay", "ready"],
      ["skip", "side_effect.done"],
      ["ack_required", "probe.failed"],
      ["ack_required", "probe.failed"],
    ]);
    await started(parts, replay);
    expect(await run(parts, replay)).toBe("finished");
    expect([sent.length, asked.filter((path) => path === "/charges/a%2F1").length]).toEqual([1, 2]);
  });

  it("is asked about again before it goes, whatever somebody answered for", async () => {
    const answers: Answers = {};
    const { host } = await outside(answers);
    const { parts, sent } = office({ probe: { url: `http://${host}/charges/{key}` } }, [host]);
    const replay = await planned(parts, await uncertain("e"));
    await acknowledge(
      parts,
      { id: "ops-1", roles: ["operator"], kind: "human" },
      { replay, numbers: [1], reason: "not charged" },
    );
    await started(parts, replay);
    answers["/charges/e"] = { status: 200, body: '{"done":true}' };
    await run(parts, replay);
    expect(sent).toEqual([]);
    expect((await itemsOf(parts, replay))[0]).toMatchObject({ mark: "drifted", markReason: "side_effect.done" });
  });

  it("waits for somebody's word where the probe is in a private network, or the letter has no key", async () => {
    const { host, asked } = await outside({});
    const shut = office({ probe: { url: `http://${host}/charges/{key}` } }, []);
    const [refused] = await itemsOf(shut.parts, await planned(shut.parts, await uncertain("f")));
    expect(refused).toMatchObject({ decision: "ack_required", reason: "probe.failed" });
    const { parts } = office({ probe: { url: `http://${host}/charges/{tenant}` } }, [host]);
    const [nameless] = await itemsOf(parts, await planned(parts, await uncertain("g")));
    expect([nameless?.reason, asked]).toEqual(["probe.failed", []]);
  });

  it("waits for somebody's word where its key would lead to another path than the policy's", async () => {
    const other = { status: 200, body: '{"done":false}' };
    const { host, asked } = await outside({ "/": other, "/charges/": other, "/charges/x": other });
    const { parts } = office({ probe: { url: `http://${host}/charges/{key}` } }, [host]);
    const items = await itemsOf(parts, await planned(parts, await uncertain("..", ".", "", "x")));
    const [failed, ready] = ["probe.failed", "ready"];
    expect(items.map((item) => item.reason)).toEqual([failed, failed, failed, ready]);
    expect(asked).toEqual(["/charges/x"]);
  });

  it.each(["uncertain", "none"] as const)(
    "is asked about at its consumer, where that has a probe, also where its failure says of it: %s",
    async (says) => {
      const queue = `charges-${crypto.randomUUID()}`;
      const { parts, consumer, reports, hear } = await probing(ledger, office({}, []).parts, queue);
      const replay = await planned(parts, await heldIn(queue, says, ["none", "done", "maybe", "throws"]));
      expect((await itemsOf(parts, replay)).map(({ reason, details }) => [reason, details.sentence])).toEqual([
        ["ready", "Nothing speaks against it."],
        ["side_effect.done", "It was processed before: its effect is there, and would be there twice."],
        ...["maybe", "throws"].map(() => [
          ...["probe.failed", "The check of its consumer could not tell whether the effect happened."],
        ]),
      ]);
      hear.abort();
      await consumer.stop();
      await reports.close();
      const silent = { ...parts, probe: () => Promise.reject(new Error("no such queue")) };
      const [item] = await itemsOf(parts, await planned(silent, await heldIn(queue, says, ["none"])));
      expect(item?.reason).toBe("probe.failed");
    },
  );

  it("is asked about at the policy's probe, whatever its failure says of it, and again before it goes", async () => {
    const answers: Answers = { "/charges/h": { status: 200, body: '{"done":false}' } };
    const { host } = await outside({ ...answers, "/charges/i": { status: 200, body: '{"done":true}' } });
    const { parts } = office({ probe: { url: `http://${host}/charges/{key}` } }, [host]);
    const letters = await heldIn("orders", "none", ["h", "i"]);
    expect((await itemsOf(parts, await planned(parts, letters))).map(({ reason }) => reason)).toEqual([
      ...["ready", "side_effect.done"],
    ]);
  });

  it("goes with a note that nobody could tell, or by somebody's word where the policy is strict", async () => {
    const sentenceUnder = async (protocol: Partial<Protocol>, queue = `orders-${crypto.randomUUID()}`) => {
      const { parts, sent } = office(protocol, []);
      const replay = await planned(parts, await heldIn(queue, "none", ["j"]));
      const [item] = await itemsOf(parts, replay);
      return { parts, sent, replay, found: [item?.decision, item?.reason, item?.details.sentence] };
    };
    const noSign = "No sign that an earlier attempt took effect.";
    expect((await sentenceUnder({})).found).toEqual(["replay", "ready", noSign]);
    const { parts, sent, replay, found } = await sentenceUnder({ effects: "strict" });
    expect(found).toEqual(["ack_required", "side_effect.unchecked", expect.stringContaining(noSign)]);
    await acknowledge(parts, operator, { replay, numbers: [1], reason: "looked it up" });
    await started(parts, replay);
    expect([await run(parts, replay), sent.length]).toEqual(["finished", 1]);

    // Only an inbox in the transaction of the handler's own writes leaves nothing of an attempt that failed.
    const atWork = async (inboxTransactional: boolean) => {
      const queue = `orders-${crypto.randomUUID()}`;
      const inbox = { queue, schemas: [], inboxWindowS: 86_400, inboxTransactional, retryHorizonS: 1, probe: false };
      const beat = { v: 1, kind: "heartbeat", service: "shop", version: "1", instance: "a", queues: [inbox] } as const;
      await noteHeartbeat(ledger, "rabbit", { ...beat, at: new Date().toISOString() });
      return (await sentenceUnder({ effects: "strict" }, queue)).found[1];
    };
    expect([await atWork(false), await atWork(true)]).toEqual(["side_effect.unchecked", "ready"]);
  });

  it("is not asked about where it would go instead: what failed elsewhere is not known there", async () => {
    const [failedIn, goesTo] = [`charges-${crypto.randomUUID()}`, `refunds-${crypto.randomUUID()}`];
    await hasProbe(ledger, failedIn);
    await hasProbe(ledger, goesTo);
    const asked: string[] = [];
    const parts = { ...office({}, []).parts, probe: async (_source: string, queue: string) => void asked.push(queue) };
    for (const redirect of [goesTo, null]) {
      const replayTo = () => (redirect === null ? goesTo : null);
      const replay = await planned({ ...parts, replayTo }, await uncertainIn(failedIn, "none"), { redirect });
      expect(await itemsOf(parts, replay)).toMatchObject([{ destination: goesTo, reason: "side_effect.uncertain" }]);
    }
    expect(asked).toEqual([]);
  });

  it("is not sent, nor is any other, while a health check of the policy is red", async () => {
    const answers: Answers = { "/health": { status: 200 } };
    const { host } = await outside(answers);
    const { parts, sent } = office({ health: [`http://${host}/health`] }, [host]);
    const replay = await planned(parts, await holdLetters(ledger, ["a"]));
    await started(parts, replay);
    answers["/health"] = { status: 503 };
    expect([await run(parts, replay), await stateOf(parts, replay), sent.length]).toEqual(["halted", "halted", 0]);
    const [item] = await itemsOf(parts, await planned(parts, await holdLetters(ledger, ["b"])));
    expect(item).toMatchObject({ decision: "skip", reason: "health.red" });
  });
});
