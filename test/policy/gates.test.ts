import { beforeAll, describe, expect, it } from "vitest";
import { showId, uuidOf } from "../../src/domain/ids.ts";
import type { BreakerReport, HeartbeatReport } from "../../src/domain/report.ts";
import { noteBreaker } from "../../src/ledger/breakers.ts";
import { noteHeartbeat } from "../../src/ledger/consumers.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { tester } from "../ledger/letters.ts";
import { groupsOf, replayWorld } from "../replay/world.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { arrive } from "./arrive.ts";
import { callsOn } from "./office.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const who = (version: string, instance = "shop-1") =>
  ({ v: 1, service: "shop", version, instance, at: new Date().toISOString() }) as const;

const heartbeat = (
  queue: string,
  version: string,
  versions: readonly string[],
  instance?: string,
): HeartbeatReport => ({
  ...{ ...who(version, instance), kind: "heartbeat" },
  queues: [
    {
      ...{ queue, inboxWindowS: null, retryHorizonS: 60, probe: false },
      schemas: [{ name: "OrderPlaced", versions }],
    },
  ],
});

const breaker = (queue: string, state: BreakerReport["state"]): BreakerReport => ({
  ...{ ...who("1"), kind: "breaker", queue, name: "payments-api", state, since: new Date().toISOString() },
});

/** As a letter of it that a replay sent and that died again, now. */
async function comeBack({ database, at }: Ledger, letter: Uint8Array): Promise<void> {
  const set = "state = 'returned', replays = replays + 1, failed_at = now()";
  await database.query(`update ${at}.letters set ${set} where id = $1`, [uuidOf(letter)]);
  await database.query(
    `insert into ${at}.group_returns (group_id, last_at) select group_id, now() from ${at}.letters where id = $1
     on conflict (group_id) do update set last_at = excluded.last_at`,
    [uuidOf(letter)],
  );
}

onEachDatabase("the next step of a group", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database, schema: `gates_${tested.name.toLowerCase()}` });
  });
  /** Answers are shared for a moment: what is asked is asked anew. */
  const call: ReturnType<typeof callsOn> = (name, actor, input) => callsOn(ledger)(name, actor, input);

  async function groupOf(letters: readonly Uint8Array[]): Promise<string> {
    const [id] = await groupsOf(ledger, letters);
    return showId("group", id ?? new Uint8Array());
  }
  async function itemOf(id: string) {
    const { items } = await call("inbox.list", tester, { limit: 200 });
    return items.find((item) => item.id === id);
  }
  const stepOf = async (id: string) => (await call("groups.get", tester, { id })).nextStep;
  const failed = (queue: string, category: "transient" | "poison" | "schema_mismatch", agoMs: number | null) =>
    arrive(ledger, { queue, category, agoMs, schema: "OrderPlaced@3" });
  const iso = (agoMs: number) => new Date(Date.now() - agoMs).toISOString();

  /** As if the version had been seen for that long already. */
  const seenSince = (queue: string, agoMs: number) =>
    ledger.database.query(
      `update ${ledger.at}.consumer_versions set first_seen_at = now() - $2::float8 * interval '1 ms' where queue = $1`,
      [queue, agoMs],
    );
  it("is to wait while the breaker of its queue is open, a trial while that tries, and a plan once it is closed", async () => {
    const id = await groupOf([await failed("charges", "transient", hourMs)]);
    expect(await stepOf(id)).toMatchObject({ code: "replay.plan", label: "plan a replay", change: "" });
    await noteHeartbeat(ledger, "rabbit", heartbeat("charges", "1", []));
    await noteBreaker(ledger, "rabbit", breaker("charges", "open"));
    expect(await itemOf(id)).toMatchObject({
      ...{ why: "new", lane: "blocked" },
      nextStep: {
        ...{ code: "breaker.wait", label: "wait: breaker payments-api is open" },
        sentence: expect.stringMatching(/^Breaker payments-api has been open since /) as string,
        change: "Wait until the breaker closes; it finds out by itself.",
      },
    });
    expect(await stepOf(id)).toMatchObject({ code: "breaker.wait" });
    await noteBreaker(ledger, "rabbit", breaker("charges", "half-open"));
    expect(await itemOf(id)).toMatchObject({
      lane: "decide",
      nextStep: { code: "replay.trial", label: "plan a trial: breaker payments-api is half-open" },
    });
    await noteBreaker(ledger, "rabbit", breaker("charges", "closed"));
    expect(await itemOf(id)).toMatchObject({
      lane: "decide",
      nextStep: {
        code: "replay.plan",
        sentence: expect.stringContaining("Breaker payments-api has been closed again since") as string,
      },
    });
  });

  it("goes by the breakers of its own queue on its own source", async () => {
    const id = await groupOf([await failed("alone", "transient", hourMs)]);
    await noteHeartbeat(ledger, "kafka", heartbeat("alone", "1", []));
    await noteBreaker(ledger, "kafka", breaker("alone", "open"));
    expect(await stepOf(id)).toMatchObject({ code: "replay.plan" });
  });

  it("says which consumer a schema waits for, what is at work, and that one that reads it is there", async () => {
    const queue = "order-events";
    const letter = await failed(queue, "schema_mismatch", 2 * hourMs);
    const id = await groupOf([letter]);
    expect(await itemOf(id)).toMatchObject({
      lane: "blocked",
      nextStep: {
        ...{ code: "deploy.wait", label: "wait for a consumer that reads OrderPlaced@3" },
        sentence: expect.stringContaining("Nobody says what is deployed there.") as string,
      },
    });
    for (const instance of ["a", "b"])
      await noteHeartbeat(ledger, "rabbit", heartbeat(queue, "2.14.3", ["1", "2"], instance));
    expect(await stepOf(id)).toMatchObject({
      code: "deploy.wait",
      sentence: "They wait for a consumer that reads OrderPlaced@3. At work: shop 2.14.3 × 2 reads OrderPlaced 1, 2.",
      change: "Deploy a consumer that handles OrderPlaced@3.",
    });
    for (const instance of ["a", "b"])
      await noteHeartbeat(ledger, "rabbit", heartbeat(queue, "2.15.0", ["1", "2", "3"], instance));
    await seenSince(queue, hourMs);
    expect(await itemOf(id)).toMatchObject({
      ...{ why: "unblocked", lane: "unblocked" },
      nextStep: { code: "replay.plan", label: "plan a replay: shop 2.15.0 reads them" },
    });
    await failed(queue, "schema_mismatch", minuteMs);
    expect((await stepOf(id)).sentence).toMatch(
      /^shop 2\.15\.0 reads OrderPlaced@3 since .* UTC\. 1 failed before it and may go\. 1 failed after it: it did not help them\.$/,
    );
    await noteBreaker(ledger, "rabbit", breaker(queue, "open"));
    expect(await itemOf(id), "its gate is open, and another one is not").toMatchObject({
      ...{ lane: "blocked", nextStep: { code: "breaker.wait" } },
    });
  });

  it("waits for another deploy where all of them failed with this one", async () => {
    const queue = "late-events";
    const id = await groupOf([await failed(queue, "schema_mismatch", minuteMs)]);
    await noteHeartbeat(ledger, "rabbit", heartbeat(queue, "2.15.0", ["3"]));
    await seenSince(queue, hourMs);
    const expected = { code: "deploy.wait", label: "wait: they failed after shop 2.15.0 too" };
    expect(await itemOf(id)).toMatchObject({ why: "new", lane: "blocked", nextStep: expected });
    expect(await stepOf(id)).toMatchObject(expected);
  });

  it("takes only a recorded deploy for proof where the policy says so", async () => {
    const queue = "trusted";
    const id = await groupOf([await failed(queue, "schema_mismatch", 2 * hourMs)]);
    await noteHeartbeat(ledger, "rabbit", heartbeat(queue, "2.15.0", ["3"]));
    await seenSince(queue, hourMs);
    const { parts } = replayWorld(ledger);
    const strict = async () => {
      const policy = await parts.policy();
      const protocolFor: typeof policy.protocolFor = (letter, plan) => {
        const protocol = policy.protocolFor(letter, plan);
        return letter.queue === queue ? { ...protocol, gates: { trust: "recorded" } } : protocol;
      };
      return { ...policy, protocolFor };
    };
    const { nextStep } = await callsOn(ledger, { ...parts, policy: strict })("groups.get", tester, { id });
    expect(nextStep).toMatchObject({ code: "deploy.record", label: "record the deploy of shop" });
  });

  describe("of a handler that broke", () => {
    it("is to record a fix, then to plan those older than it, and what failed since is proof against it", async () => {
      const letter = await failed("invoices", "poison", 2 * hourMs);
      const id = await groupOf([letter]);
      expect(await itemOf(id)).toMatchObject({ lane: "decide", nextStep: { code: "fix.record" } });
      await call("fixes.record", tester, { group: id, called: "4.2.1", fixedAt: iso(hourMs) });
      expect(await itemOf(id)).toMatchObject({
        ...{ why: "unblocked", lane: "unblocked" },
        nextStep: { code: "replay.plan", label: "plan a replay of those older than 4.2.1" },
      });
      await failed("invoices", "poison", minuteMs);
      await failed("invoices", "poison", null);
      expect((await stepOf(id)).sentence).toContain(
        "1 failed before it and may go. 1 failed after it: proof that it does not cover every case. Of 1 it is not known",
      );
      const said = await call("groups.get", tester, { id });
      expect(said.summary).toContain("next: plan a replay of those older than 4.2.1");
    });

    it("is another fix once all of them came back with it in place", async () => {
      const letter = await arrive(ledger, {
        ...{ queue: "receipts", category: "poison", agoMs: 3 * hourMs, arrivedAgoMs: 3 * hourMs },
      });
      const id = await groupOf([letter]);
      await call("fixes.record", tester, { group: id, called: "1.0.1", fixedAt: iso(hourMs) });
      expect(await itemOf(id)).toMatchObject({ why: "unblocked", nextStep: { code: "replay.plan" } });
      await comeBack(ledger, letter);
      expect(await itemOf(id)).toMatchObject({
        ...{ why: "returned", lane: "decide" },
        nextStep: { code: "fix.record", label: "1.0.1 did not cover them: record another fix" },
      });
    });
  });

  it("comes with each gate: what it waits for, what is seen of that, since when, and what opens it", async () => {
    const queue = "cards";
    const id = await groupOf([await failed(queue, "schema_mismatch", 2 * hourMs)]);
    await noteHeartbeat(ledger, "rabbit", heartbeat(queue, "2.14.3", ["2"]));
    await noteBreaker(ledger, "rabbit", breaker(queue, "open"));
    const gates = async () => (await call("groups.get", tester, { id })).gates;
    const waitsFor = "A consumer that reads OrderPlaced@3";
    expect(await gates()).toEqual([
      {
        ...{
          kind: "deploy",
          breaker: null,
          isOpen: false,
          waitsFor,
          sees: "At work: shop 2.14.3 × 1 reads OrderPlaced 2.",
        },
        ...{ since: expect.any(String) as string, opens: "Deploy a consumer that handles OrderPlaced@3." },
      },
      {
        ...{ kind: "breaker", breaker: "payments-api", isOpen: false, waitsFor: "Breaker payments-api to close" },
        ...{ sees: "It is open: what it needs is down.", since: expect.any(String) as string },
        opens: "Wait until the breaker closes; it finds out by itself.",
      },
    ]);
    await noteHeartbeat(ledger, "rabbit", heartbeat(queue, "2.15.0", ["2", "3"]));
    await seenSince(queue, hourMs);
    await noteBreaker(ledger, "rabbit", breaker(queue, "closed"));
    expect(await gates()).toMatchObject([
      { kind: "deploy", isOpen: true, waitsFor, sees: "At work: shop 2.15.0 × 1 reads OrderPlaced 2, 3.", opens: "" },
      { kind: "breaker", isOpen: true, sees: "It is closed again.", opens: "" },
    ]);
  });

  it("says which replays have letters of it already, and whose they are", async () => {
    const letters = [await failed("held", "transient", hourMs), await failed("held", "transient", hourMs)];
    const id = await groupOf(letters);
    const held = async () => (await call("groups.get", tester, { id })).inReplays;
    const { id: replay } = await call("replays.plan", tester, {
      letters: letters.map((each) => showId("letter", each)),
    });
    expect(await held(), "a plan that nobody went on with").toEqual([]);
    await call("replays.ask", tester, { id: replay, reason: "the bank is back" });
    expect(await held()).toEqual([
      { replay, by: "tester", state: "approved", sentence: "2 of them are in a replay by tester, which is approved" },
    ]);
    await call("replays.cancel", tester, { id: replay, reason: "not yet" });
    expect(await held()).toEqual([]);
  });

  it("sorts the inbox by it into lanes that count what they hold, those that came back first", async () => {
    const back = await failed("zz-back", "transient", hourMs);
    await comeBack(ledger, back);
    const all = await call("inbox.list", tester, { limit: 200 });
    expect(all.items[0]).toMatchObject({ why: "returned" });
    const order = ["returned", "unblocked", "new"];
    const whys = all.items.map(({ why }) => order.indexOf(why));
    expect(whys).toEqual(whys.toSorted((a, b) => a - b));
    await call("groups.acknowledge", tester, { id: await groupOf([back]) });
    const { lanes } = await call("inbox.list", tester, { limit: 1 });
    for (const lane of ["decide", "unblocked", "blocked", "acknowledged"] as const) {
      const { items, lanes: same } = await call("inbox.list", tester, { limit: 200, lane });
      expect([lane, items.length, new Set(items.map((item) => item.lane))]).toEqual([
        lane,
        lanes[lane],
        new Set([lane]),
      ]);
      expect(same).toEqual(lanes);
    }
  });

  it("is the same in the report and in the words of a group", async () => {
    const { groups, text } = await call("report.get", tester, {});
    const { items } = await call("inbox.list", tester, { limit: 20 });
    for (const { id, label } of items.map((item) => ({ id: item.id, label: item.nextStep.label }))) {
      const told = groups.find((group) => group.id === id);
      if (told !== undefined) expect(told.nextStep.label).toBe(label);
    }
    expect(text).toContain("next: wait: breaker payments-api is open");
  });
});
