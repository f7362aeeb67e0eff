import { beforeAll, expect, it } from "vitest";
import { alertKinds } from "../../src/domain/alert-rule.ts";
import { readAuditAfter } from "../../src/ledger/read-changes.ts";
import { lookForAlerts } from "../../src/office/alerts/look-for-alerts.ts";
import { pagerBody } from "../../src/office/notify/notice-call.ts";
import { type Notice, noticeOf } from "../../src/office/notify/notice-of.ts";
import { systemHost } from "../../src/system/host.ts";
import { deadLetter, hold, testRoom } from "../ledger/letters.ts";
import { type TestServer, useLedger } from "./open-server.ts";

const base = useLedger();
const minuteMs = 60_000;
/** All looks are told the time from here, however long a test takes. */
const begun = Date.now();
let server: TestServer;
let cookie: string;
beforeAll(async () => {
  server = await base.open();
  cookie = await server.signedIn("ana", ["operator"]);
});

const rule = (name: string, payload: object, as = cookie) =>
  server.fromPage(as, `/api/v1/alerts/rules/${name}`, payload);

async function arrive(queue: string, n: number, at?: number): Promise<void> {
  const letters = Array.from({ length: n }, (_, at) => ({
    letter: deadLetter({ headers: { queue, class: "TimeoutError", message: "POST /charge", category: "transient" } }),
    found: { kind: "position", position: `${queue}-${at}` } as const,
  }));
  await hold(server.ledger, letters, at === undefined ? {} : { room: testRoom(() => at) });
}

/** So many failures that were never seen before, each with two letters. */
async function fail(queue: string, kinds: number): Promise<void> {
  const letters = Array.from({ length: 2 * kinds }, (_, at) => ({
    letter: deadLetter({ headers: { queue, class: `Error${at % kinds}`, message: "POST /x", category: "transient" } }),
    found: { kind: "position", position: `${queue}-${at}` } as const,
  }));
  await hold(server.ledger, letters);
}

/** As an office at work looks, so many minutes after it began. */
const look = (inMinutes: number) => lookAt(begun + inMinutes * minuteMs);
const lookAt = (now: number) => lookForAlerts({ ledger: server.ledger, newId: systemHost.newId }, now);

/** What is said of one rule, in order. */
async function saidOf(name: string): Promise<readonly Notice[]> {
  const entries = await readAuditAfter(server.ledger, { after: 0, limit: 1_000 });
  return entries
    .map((entry) => noticeOf(entry, { isCritical: () => false }))
    .filter((notice): notice is Notice => notice?.about.startsWith(`${name}:`) === true);
}

async function alertsOf(name: string) {
  const { items } = (await server.fromPage(cookie, "/api/v1/alerts")).json<{ items: Alert[] }>();
  return items.filter((each) => each.rule === name);
}

interface Alert {
  readonly id: string;
  readonly rule: string;
  readonly sentence: string;
  readonly acknowledgedBy: string | null;
  readonly clearedAt: string | null;
}

it("is said once when it begins and once when it is over, however many processes look", async () => {
  await arrive("orders", 3);
  expect((await rule("deep", { kind: "depth", over: 2, holdS: 0, queues: ["*/orders"] })).json()).toMatchObject({
    sentence: expect.stringContaining("more than 2") as string,
    tells: ["oncall"],
  });
  await Promise.all([look(0), look(0)]);
  await look(1);
  expect((await saidOf("deep")).map(({ text, step }) => [text, step])).toEqual([
    ["3 open letters in rabbit/orders", "begins"],
  ]);
  await rule("deep", { kind: "depth", over: 3, holdS: 0 });
  await Promise.all([look(2), look(2)]);
  expect((await saidOf("deep")).map(({ step }) => step)).toEqual(["begins", "over"]);
  expect(await alertsOf("deep")).toMatchObject([{ clearedAt: expect.any(String) as string }]);
});

it("holds its tongue until a condition has held, and until it has been over, for as long as its rule says", async () => {
  await arrive("mails", 5);
  await rule("held", { kind: "depth", over: 4, holdS: 300, queues: ["*/mails"] });
  await look(0);
  await look(4);
  expect(await saidOf("held")).toEqual([]);
  await look(5);
  expect(await saidOf("held")).toHaveLength(1);
  await rule("held", { kind: "depth", over: 5, holdS: 300, queues: ["*/mails"] });
  await look(9);
  expect(await saidOf("held")).toHaveLength(1);
  await look(10);
  expect(await saidOf("held")).toHaveLength(2);
});

it("is not over with a group that grows when an hour of the clock begins, but when it grew no more for an hour", async () => {
  const hour = Math.floor(begun / (60 * minuteMs)) * 60 * minuteMs;
  await arrive("parcels", 30, hour + minuteMs);
  await rule("grows", { kind: "growing", queues: ["*/parcels"] });
  const steps = async () => (await saidOf("grows")).map(({ step }) => step);
  await lookAt(hour + 119 * minuteMs);
  expect(await steps()).toEqual(["begins"]);
  for (const minute of [121, 178]) await lookAt(hour + minute * minuteMs);
  expect(await steps()).toEqual(["begins"]);
  await lookAt(hour + 179 * minuteMs);
  expect(await steps()).toEqual(["begins", "over"]);
});

it("is about a failure that is new for as long as its letters are open, however long that is", async () => {
  await rule("fresh", { kind: "new", queues: ["*/letters"] });
  await arrive("letters", 3);
  const steps = async () => (await saidOf("fresh")).map(({ step }) => step);
  for (const hours of [0, 23, 25, 49]) await look(hours * 60);
  expect(await steps()).toEqual(["begins"]);
  await rule("fresh", { kind: "new", over: 3, queues: ["*/letters"] });
  await look(50 * 60);
  expect(await steps()).toEqual(["begins", "over"]);
});

it("tells of a few of those that begin at once, and of the rest together; of these nobody is told that they are over", async () => {
  await rule("flood", { kind: "new", queues: ["*/flood"] });
  await fail("flood", 12);
  await look(0);
  await look(1);
  const texts = async () => (await saidOf("flood")).map(({ text, step }) => [text.split(" of a ")[0], step]);
  const first = Array<unknown>(5).fill(["2 open letters", "begins"]);
  const all = [...first, ["And 7 more that the rule flood found at once", "begins"]];
  expect(await texts()).toEqual(all);
  expect(await alertsOf("flood")).toHaveLength(12);
  await rule("flood", { kind: "new", over: 2, queues: ["*/flood"] });
  await look(2);
  expect(await texts()).toEqual([...all, ...Array<unknown>(5).fill(["Resolved: 2 open letters", "over"])]);
});

it("finds what it is for among many larger groups elsewhere", async () => {
  await fail("bulk", 201);
  await arrive("rare", 1);
  const preview = await rule("draft/preview", { kind: "new", queues: ["*/rare"] });
  expect(preview.json<{ found: readonly object[] }>().found).toHaveLength(1);
});

it("tells those whom its rule names, and they are told too when somebody takes care of it", async () => {
  await arrive("invoices", 1);
  await rule("named", { kind: "depth", over: 0, holdS: 0, queues: ["*/invoices"], notifiers: ["chat"] });
  await look(0);
  const [{ id } = { id: "" }] = await alertsOf("named");
  const acknowledge = () => server.fromPage(cookie, `/api/v1/alerts/${id}/acknowledge`, {});
  expect((await acknowledge()).statusCode).toBe(200);
  expect((await acknowledge()).json()).toMatchObject({ error: { code: "alert.not_found" } });
  const said = await saidOf("named");
  expect(said.map(({ to, step }) => [to, step])).toEqual([
    [["chat"], "begins"],
    [["chat"], "taken"],
  ]);
  const events = said.map((notice) => JSON.parse(pagerBody(notice, { url: "", environment: null }, "key")) as object);
  expect(events).toMatchObject([{ event_action: "trigger" }, { event_action: "acknowledge" }]);
  expect(new Set(events.map((event) => (event as { dedup_key: string }).dedup_key)).size).toBe(1);
});

it("looks at no rule that is muted, and is over with what it found", async () => {
  await arrive("refunds", 1);
  await rule("quiet", { kind: "depth", over: 0, holdS: 0, queues: ["*/refunds"] });
  const until = new Date(begun + 60 * minuteMs).toISOString();
  await rule("quiet/mute", { until });
  await look(0);
  expect(await saidOf("quiet")).toEqual([]);
  await look(61);
  expect(await saidOf("quiet")).toHaveLength(1);
  await rule("quiet/remove", {});
  await look(62);
  expect((await saidOf("quiet")).map(({ step }) => step)).toEqual(["begins", "over"]);
});

it("says what a rule would find without telling anybody, and tells whom it would tell that somebody tries it", async () => {
  const preview = await rule("draft/preview", { kind: "new", queues: ["*/orders"] });
  expect(preview.json()).toMatchObject({ found: [{ sentence: expect.stringContaining("3 open letters") as string }] });
  for (const kind of alertKinds)
    expect((await rule("draft/preview", { kind })).json(), kind).toMatchObject({
      past: { sentence: expect.any(String) as string },
    });
  expect((await rule("draft/test", {})).json()).toMatchObject({ error: { code: "alert.rule_not_found" } });
  await rule("tried", { kind: "growing" });
  await rule("tried/test", {});
  const said = await saidOf("tried");
  expect(said.map(({ text, step }) => [text, step])).toEqual([
    ["Test of the rule tried by ana: nothing is wrong", "begins"],
    ["Resolved: test of the rule tried by ana", "over"],
  ]);
  expect(new Set(said.map(({ about }) => about)).size).toBe(1);
});

it("refuses a notifier that nobody configured, and rules by somebody who only looks", async () => {
  expect((await rule("lost", { kind: "growing", notifiers: ["oncal"] })).json()).toMatchObject({
    error: { code: "notifier.not_found", hint: "Did you mean `oncall`?" },
  });
  const viewer = await server.signedIn("eve", ["viewer"]);
  expect((await rule("eves", { kind: "growing" }, viewer)).statusCode).toBe(403);
  expect((await server.fromPage(viewer, "/api/v1/alerts/rules")).json()).toMatchObject({
    notifiers: [
      { name: "oncall", takesAlerts: true },
      { name: "chat", takesAlerts: false },
    ],
  });
});
