import { createHmac } from "node:crypto";
import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { pgliteDatabase } from "../../src/databases/pglite.ts";
import type { Clock } from "../../src/domain/clock.ts";
import { recordAction } from "../../src/ledger/audit.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { endNotifierTurn, noteNotified, takeNotifierTurn } from "../../src/ledger/notifier-turns.ts";
import { readAuditAfter } from "../../src/ledger/read-changes.ts";
import { type ConfiguredNotifier, notifiersOf } from "../../src/office/notify/notifiers.ts";
import { standingNotices } from "../../src/office/notify/standing-notices.ts";
import { systemClock } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { startPglite } from "../servers/pglite.ts";

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const office = { url: "https://dlo.example", environment: "production" };
const rules = { isCritical: () => false };
const every = ["alert", "approval", "halted", "returned"] as const;
const ana = { id: "ana", kind: "human", roles: ["operator"] } as const;

let pglite: PGlite;
let ledger: Ledger;
beforeAll(async () => {
  pglite = await startPglite();
  ledger = await openLedger({ database: pgliteDatabase(pglite) });
});
afterAll(() => pglite.close());

function did(action: string, details: object): Promise<void> {
  return recordAction(ledger, ledger.database, { at: systemClock.now(), actor: ana, action, details: { ...details } });
}

/** An office that tells these, and what it sent; the outside answers as it is told to. */
function telling(
  configured: readonly Omit<ConfiguredNotifier, "resolve">[],
  answer = (_: Sent) => 200,
  clock: Clock = systemClock,
) {
  const sent: Sent[] = [];
  const notifiers = configured.map((each) => ({
    ...each,
    resolve: async () => ({ url: `https://hooks.example/${each.name}`, secret: "a secret" }),
  }));
  const outside = {
    async call(url: string, { headers, body }: Omit<Sent, "url">) {
      const one = { url, headers, body };
      const status = answer(one);
      if (status === 200) sent.push(one);
      return { status };
    },
  };
  const parts = { clock, outside, office };
  const standing = () => standingNotices({ ledger, clock, rules, notifiers: notifiersOf(parts, notifiers) });
  return { sent, standing };
}

/** They know where to begin, so that what happens from now on is told. */
async function begun(...names: readonly string[]): Promise<void> {
  await eventually(async () => {
    const { rows } = await ledger.database.query(`select from ${ledger.at}.notifier_turns where name = any ($1)`, [
      names,
    ]);
    expect(rows).toHaveLength(names.length);
  });
}

it("tells who is not looking, each in its own words, of what they asked for and of nothing that was before", async () => {
  await did("replay.asked", { replay: "rpl_0", reason: "long ago" });
  const { sent, standing } = telling([
    { name: "hook", kind: "webhook", when: [...every] },
    { name: "chat", kind: "slack", when: ["approval"] },
    { name: "pager", kind: "pagerduty", when: ["halted"] },
  ]);
  const notices = standing();
  await begun("hook", "chat", "pager");
  await did("replay.asked", { replay: "rpl_1", reason: "is <payments> & co back?" });
  await did("replay.halted", { replay: "rpl_1", guard: "returns", sentence: "6 % came back." });
  await eventually(() => expect(sent).toHaveLength(4), { withinMs: 60_000 });
  await notices.close();
  const of = (name: string) =>
    sent.filter(({ url }) => url.endsWith(name)).map(({ body }) => JSON.parse(body) as object);
  expect(of("hook")).toMatchObject([
    { type: "replay.asked", data: { text: "production · ana asks for approval: is <payments> & co back?" } },
    { type: "replay.halted", data: { url: "https://dlo.example/replays/rpl_1", about: "rpl_1", occasion: "halted" } },
  ]);
  expect(of("chat")).toEqual([
    {
      text: "production · ana asks for approval: is &lt;payments&gt; &amp; co back?\nhttps://dlo.example/replays/rpl_1",
    },
  ]);
  expect(of("pager")).toMatchObject([
    {
      ...{ routing_key: "a secret", event_action: "trigger", dedup_key: "dlo:production:halted:rpl_1" },
      payload: { severity: "error", summary: "production · A replay halted: 6 % came back." },
    },
  ]);
});

it("signs what a webhook is told, by its own secret", async () => {
  const { sent, standing } = telling([{ name: "signed", kind: "webhook", when: [...every] }]);
  const notices = standing();
  await begun("signed");
  await did("sending.stopped", { reason: "fire" });
  await eventually(() => expect(sent).toHaveLength(1), { withinMs: 60_000 });
  await notices.close();
  const { headers, body } = sent[0] as Sent;
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const mac = createHmac("sha256", Buffer.from("a secret")).update(signed).digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${mac}`);
});

it("tells again what was not taken, under the same id, once by however many processes", async () => {
  let refusals = 1;
  const ids: string[] = [];
  const { sent, standing } = telling([{ name: "busy", kind: "webhook", when: [...every] }], ({ headers }) => {
    ids.push(headers["webhook-id"] ?? "");
    refusals -= 1;
    return refusals >= 0 ? 503 : 200;
  });
  const processes = [standing(), standing()];
  await begun("busy");
  await did("replay.asked", { replay: "rpl_2", reason: "again" });
  await eventually(() => expect(sent).toHaveLength(1), { withinMs: 60_000 });
  await did("replay.asked", { replay: "rpl_3", reason: "and again" });
  await eventually(() => expect(sent).toHaveLength(2), { withinMs: 60_000 });
  expect(new Set(ids).size).toBe(2);
  expect(ids).toHaveLength(3);
  for (const each of processes) await each.close();
});

/** Where ten tries take no time. What happens is news for as long as its test takes. */
function quickly(name: string, answer: (sent: Sent) => number) {
  const clock = fakeClock(0);
  const { sent, standing } = telling([{ name, kind: "slack", when: [...every] }], answer, clock);
  const notices = standing();
  onTestFinished(async () => {
    const closed = notices.close();
    await clock.advance(60_000);
    await closed;
  });
  const come = (condition: () => unknown) =>
    eventually(
      async () => {
        await clock.advance(31_000);
        await condition();
      },
      { withinMs: 60_000 },
    );
  return { sent, notices, come };
}

it("tells what happened while whom it tells was away, however often it tried meanwhile, and says what troubles it", async () => {
  let tries = 0;
  const { sent, notices, come } = quickly("away", () => {
    tries += 1;
    return tries > 15 ? 200 : 503;
  });
  await begun("away");
  await did("replay.asked", { replay: "rpl_5", reason: "while it was away" });
  const trouble = expect.stringContaining("answered 503") as string;
  await come(() => expect(notices.status()).toMatchObject([{ state: "waiting", trouble }]));
  await come(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toContain("while it was away");
});

it("goes on behind what it is refused each time, and says in the audit log that nobody was told of that", async () => {
  const { sent, come } = quickly("picky", ({ body }) => (body.includes("bad") ? 400 : 200));
  await begun("picky");
  await did("replay.asked", { replay: "rpl_6", reason: "bad" });
  await did("replay.asked", { replay: "rpl_7", reason: "good" });
  await come(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toContain("good");
  const entries = await readAuditAfter(ledger, { after: 0, limit: 1_000 });
  const dropped = entries.filter(({ text }) => text.includes("notice.dropped")).map(({ text }) => text);
  expect(dropped).toEqual([expect.stringContaining("rpl_6")]);
});

it("leaves alone whose turn it is, when it wakes up after its own", async () => {
  const asleep = await takeNotifierTurn(ledger, { name: "turns", leaseMs: 1 });
  const take = () => takeNotifierTurn(ledger, { name: "turns", leaseMs: 600_000 });
  await eventually(async () => expect(await take()).not.toBeNull());
  if (asleep === null) throw new Error("Nobody else could have had it.");
  await endNotifierTurn(ledger, asleep);
  expect(await noteNotified(ledger, asleep, { n: 10_000, leaseMs: 1 })).toBeNull();
  expect(await take()).toBeNull();
});
