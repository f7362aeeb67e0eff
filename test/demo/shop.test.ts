import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openOffice } from "../../src/compose.ts";
import { visitor } from "../../src/demo/shop/cast.ts";
import { pastDeaths } from "../../src/demo/shop/history.ts";
import { type OpenedDemo, openDemo } from "../../src/demo/shop/open-demo.ts";
import type { InputOf, OperationName } from "../../src/office/operations/operations.ts";
import { systemHost } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { dlo } from "../cli/dlo.ts";
import { steeredClock } from "./steered-clock.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

it("makes up the same past from the same seed, to the byte", async () => {
  const now = Date.UTC(2026, 5, 1);
  const [first, second, other] = await Promise.all([pastDeaths(1, now), pastDeaths(1, now), pastDeaths(2, now)]);
  expect(first).toHaveLength(1_482);
  // Where in the source an error was thrown is the same, but a stack may have been cut elsewhere.
  const told = (deaths: typeof first) => deaths.map(({ at, trade, message }) => [at, trade, String(message.body)]);
  expect(told(second)).toEqual(told(first));
  expect(told(other)).not.toEqual(told(first));
});

describe("the demonstration, on a clock that stands while we look", () => {
  const { clock, pass, until } = steeredClock();
  const folder = mkdtempSync(join(tmpdir(), "dlo-demo-"));
  const said: string[] = [];
  let demo: OpenedDemo;
  let isClosed = false;

  const ask = <Name extends OperationName>(name: Name, input: InputOf<Name>) => demo.office.call(name, visitor, input);
  const reasonsOf = async (plan: InputOf<"replays.plan">) => {
    const { reasons } = await ask("replays.plan", plan);
    return Object.fromEntries(reasons.map(({ code, n }) => [code, n]));
  };
  const lettersOf = async (q: string, limit: number) =>
    (await ask("letters.list", { q, limit })).items.map(({ id }) => id);
  /** Of three orders: judging all of them over and over would keep the one connection busy. */
  const reasonsOfOrders = async () => reasonsOf({ letters: await lettersOf("queue:orders is:open", 3) });

  /** The largest group of a queue, as the inbox has it. */
  const itemOf = async (of: string) => {
    const { items } = await ask("inbox.list", { limit: 200 });
    return items.filter(({ queue }) => queue === of).toSorted((one, other) => other.open - one.open)[0];
  };

  /** Lets time pass until it is so: a few seconds of the demonstration between two looks. */
  const inTime = (isSo: () => void | Promise<void>) =>
    eventually(
      async () => {
        await pass(5 * secondMs);
        await isSo();
      },
      { withinMs: 4 * minuteMs },
    );

  beforeAll(async () => {
    const host = { ...systemHost, clock };
    demo = await until(openDemo({ folder, version: "1.2.3", seed: 1, host, say: (text) => said.push(text) }));
  });
  afterAll(async () => {
    if (!isClosed && demo !== undefined) await until(demo.close());
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it("begins in the middle of a bad night: every category, one large group and many small ones", async () => {
    const { items } = await ask("inbox.list", { limit: 200 });
    expect(items.length).toBeGreaterThanOrEqual(23);
    expect(items[0]).toMatchObject({ why: "growing", category: "transient", queue: "orders" });
    expect(items[0]?.open).toBeGreaterThanOrEqual(1_204);
    expect(new Set(items.map(({ category }) => category)).size).toBe(6);
  });

  it("names for every category what must come before a replay", async () => {
    expect(await reasonsOf({ q: "queue:invoices" })).toHaveProperty(["fix.missing"]);
    expect(await reasonsOf({ q: "queue:credit" })).toHaveProperty(["policy.no_bulk"]);
    expect(await reasonsOf({ q: "queue:tenants" })).toHaveProperty(["policy.never"]);
    expect(await reasonsOf({ q: "queue:emails" })).toHaveProperty(["category.unknown"]);
    expect(await reasonsOf({ q: "queue:order-events" })).toHaveProperty(["deploy.not_newer"]);
  });

  it("says of each what it waits for, as the gates stand", async () => {
    expect(await itemOf("orders")).toMatchObject({ lane: "decide", nextStep: { code: "replay.plan" } });
    expect(await itemOf("invoices")).toMatchObject({ lane: "decide", nextStep: { code: "fix.record" } });
    expect(await itemOf("order-events")).toMatchObject({
      lane: "blocked",
      nextStep: {
        ...{ code: "deploy.wait", label: "wait for a consumer that reads OrderPlaced@3" },
        sentence: expect.stringContaining("order-events 2.14.3 × 1 reads OrderPlaced 1, 2") as string,
      },
    });
  });

  it("goes on dying, behind a breaker that opens and holds replays back", async () => {
    await inTime(() => expect(said.join()).toContain("payments-api is down"));
    await inTime(async () => expect(await reasonsOfOrders()).toHaveProperty(["breaker.open"]));
    await inTime(async () =>
      expect(await itemOf("orders")).toMatchObject({
        ...{ lane: "blocked", nextStep: { code: "breaker.wait", label: "wait: breaker payments-api is open" } },
      }),
    );
    // The breaker opens on failures; the first letter dies only once its attempts are used up, and is drained after that.
    await inTime(async () => expect((await ask("letters.count", { q: "queue:orders" })).n).toBeGreaterThan(1_204));
  });

  it("shows a replay of somebody else's, approved by another, in which letters came back as something else", async () => {
    const found = async () => {
      const { items } = await ask("replays.list", { states: ["running", "settling", "halted", "finished"] });
      return items.find(({ requestedBy }) => requestedBy === "ops-3");
    };
    await inTime(async () => expect((await found())?.counts.returned).toBeGreaterThan(0));
    const replay = await ask("replays.get", { id: (await found())?.id ?? "" });
    expect(replay.approvals).toMatchObject([{ actor: "ops-2", verdict: "approved" }]);
    expect(replay.returns).not.toEqual([]);
  });

  it("approves what the visitor asks for, and proves what became of it", async () => {
    await inTime(() => expect(said).toContain("northbank answers again: its orders may go back."));
    await inTime(async () => expect(await reasonsOfOrders()).toHaveProperty(["ready"]));
    expect(await itemOf("orders")).toMatchObject({
      ...{
        lane: "decide",
        nextStep: { code: "replay.plan", sentence: expect.stringContaining("closed again") as string },
      },
    });
    const { id } = await ask("replays.plan", { letters: await lettersOf("queue:orders is:open", 20) });
    await ask("replays.ask", { id, reason: "the bank is back" });
    const now = () => ask("replays.get", { id });
    await inTime(async () => expect((await now()).state).toBe("approved"));
    await ask("replays.start", { id, expectCount: (await now()).counts.toSend });
    await inTime(async () => expect((await now()).counts.confirmed).toBeGreaterThan(0));
  });

  it("shows keys that wait behind a dead letter: one goes on by a release, the other by a replay that runs first", async () => {
    const waiting = async () => {
      const { items } = await ask("keys.list", {});
      return items.toSorted((one, other) => one.key.localeCompare(other.key)).map(({ key, state }) => [key, state]);
    };
    const blocked = async () => (await ask("keys.list", {})).items.find(({ key }) => key === "account-7");
    await inTime(async () => {
      expect(await waiting()).toEqual([
        ["account-12", "dead"],
        ["account-7", "dead"],
      ]);
      expect((await blocked())?.behind).toBeGreaterThan(1);
    });
    const released = (await ask("keys.list", {})).items.find(({ key }) => key === "account-12")?.letter?.id ?? "";
    await ask("keys.release", { place: released, reason: "the booking is made by hand" });
    await inTime(async () => expect(await waiting()).toEqual([["account-7", "dead"]]));
    expect(await reasonsOf({ letters: [released] })).toEqual({ "order.not_kept": 1 });

    await inTime(() => expect(said.join()).toContain("rates-api answers again"));
    const letter = (await blocked())?.letter?.id ?? "";
    const { id, state, counts } = await ask("replays.plan", { letters: [letter] });
    if (state !== "approved") await ask("replays.ask", { id, reason: "the rates are back" });
    await inTime(async () => expect((await ask("replays.get", { id })).state).toBe("approved"));
    await ask("replays.start", { id, expectCount: counts.toSend });
    await inTime(async () => expect(await waiting()).toEqual([]));
    expect((await ask("letters.get", { id: letter })).replays).toBe(1);
  });

  it("opens the gate of letters that waited for a deploy", async () => {
    await inTime(async () => expect((await reasonsOf({ q: "queue:order-events" })).ready).toBeGreaterThan(80));
    expect(await itemOf("order-events")).toMatchObject({
      ...{ why: "unblocked", lane: "unblocked" },
      nextStep: { code: "replay.plan", label: "plan a replay: order-events 2.15.0 reads them" },
    });
  });

  it("lets a bug be mended in the code before its letters go back", async () => {
    await inTime(() => expect(said.join()).toContain("invoices 4.2.1 is deployed"));
    const { items } = await ask("inbox.list", { limit: 200 });
    const group = items.find(({ queue }) => queue === "invoices")?.id ?? "";
    await ask("fixes.record", { group, called: "4.2.1", reason: "half a parcel is a page of its own" });
    expect((await reasonsOf({ q: "queue:invoices" })).ready).toBeGreaterThanOrEqual(17);
    expect(await itemOf("invoices")).toMatchObject({
      ...{ lane: "unblocked", nextStep: { code: "replay.plan", label: "plan a replay of those older than 4.2.1" } },
    });
  });

  it("goes on hearing of those that were deployed", async () => {
    const lastHeard = async () => {
      const { items } = await ask("consumers.list", {});
      const heardOf = (of: string) => items.find(({ service, version }) => `${service} ${version}` === of)?.lastSeenAt;
      return ["order-events 2.15.0", "invoices 4.2.1"].map((of) => Date.parse(heardOf(of) ?? ""));
    };
    await inTime(async () => expect(await lastHeard()).not.toContain(Number.NaN));
    // What they said as they began may still be on its way.
    await pass(minuteMs);
    const before = await lastHeard();
    await inTime(async () => expect((await lastHeard()).every((at, nth) => at > (before[nth] ?? 0))).toBe(true));
  });

  it("keeps an audit log that is whole", async () => {
    expect(await ask("audit.verify", {})).toMatchObject({ problem: null });
  });

  it("has a ledger that no real source is opened with, ever", async () => {
    await until(demo.close());
    isClosed = true;
    const config = join(folder, "dlo.config.yaml");
    writeFileSync(config, "version: 1\nsources: [{ name: rabbit, broker: rabbitmq, url: 'amqp://127.0.0.1:1' }]\n");
    const settings = { databaseUrl: null, dataFolder: folder, configFile: config, env: {}, version: "1.2.3" };
    await expect(openOffice(settings)).rejects.toMatchObject({ code: "DEMO_NO_REAL_SOURCE" });
    const refused = await dlo(["drain", "rabbit/orders.dlq", "--config", config, "--json"], { DLO_DATA: folder });
    expect([refused.code, refused.stdout]).toEqual([6, expect.stringContaining("demo.no_real_source")]);
  });
});
