import { beforeAll, describe, expect, it } from "vitest";
import { hexOf, makeId, uuidOf } from "../../src/domain/ids.ts";
import type { Protocol } from "../../src/domain/protocol.ts";
import { noteBreaker } from "../../src/ledger/breakers.ts";
import { noteHeartbeat } from "../../src/ledger/consumers.ts";
import { insertAcceptance, revokeAcceptance } from "../../src/ledger/duplicate-acceptances.ts";
import { intendItems, leadReplay, noteDoubt } from "../../src/ledger/lead-replay.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { listReplays, readReplay } from "../../src/ledger/read-replay.ts";
import type { ReplayRecord } from "../../src/ledger/replay-record.ts";
import { planAgain } from "../../src/ledger/settle-doubt.ts";
import { exclude } from "../../src/office/replay/approve-replay.ts";
import { autoActor, autoReplays } from "../../src/office/replay/auto-replay.ts";
import { inWhoseName } from "../../src/office/replay/in-whose-name.ts";
import { planReplay } from "../../src/office/replay/plan-replay.ts";
import { cancel, resume } from "../../src/office/replay/steer-replay.ts";
import { releaseSending, stopSending } from "../../src/office/replay/stop-sending.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import {
  bodiesOf,
  holdLetters,
  itemsOf,
  letterStates,
  operator,
  planned,
  replayWorld,
  run,
  started,
  type WorldOptions,
} from "./world.ts";

const minuteMs = 60_000;
const who = { v: 1, service: "shop", version: "1", instance: "a" } as const;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** A queue of its own in which letters failed an hour ago, under a policy that lets them go by themselves. */
async function queueWith(
  ledger: Ledger,
  { protocol, ...options }: WorldOptions = {},
  headers: Readonly<Record<string, string>> = {},
) {
  const queue = `orders-${crypto.randomUUID()}`;
  const auto: Partial<Protocol> = { auto: true, ...protocol };
  const world = replayWorld(ledger, { protocol: auto, ...options });
  const hold = (...bodies: readonly string[]) => holdLetters(ledger, bodies, { queue, ...headers });
  return {
    ...world,
    queue,
    hold,
    letters: await hold("a", "b"),
    /** Those of this queue that started by themselves. */
    async look(parts = world.parts): Promise<readonly ReplayRecord[]> {
      const { failures } = await autoReplays(parts)();
      // Queues of other tests are looked at too, and may be in any state.
      expect(failures.filter(({ place }) => place === `rabbit/${queue}`)).toEqual([]);
      const all = await listReplays(ledger, { limit: 200 });
      return all.filter(({ autoPlace }) => autoPlace === `rabbit/${queue}`);
    },
  };
}

async function consumed(ledger: Ledger, queue: string): Promise<void> {
  const beat = { queue, schemas: [], inboxWindowS: null, retryHorizonS: 1, probe: false };
  await noteHeartbeat(ledger, "rabbit", { ...who, kind: "heartbeat", queues: [beat], at: ago(0) });
}

async function breaker(ledger: Ledger, queue: string, state: "open" | "closed", sinceMs: number): Promise<void> {
  const said = { ...who, kind: "breaker", name: "payments", queue, state } as const;
  await noteBreaker(ledger, "rabbit", { ...said, since: ago(sinceMs), at: ago(Math.min(sinceMs, 1_000)) });
}

describeServer("a replay that nobody asked for", noPostgres, () => {
  const used = usePostgres();
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: used.database });
  });

  it("sends transient letters when their breaker has closed again, in the office's own name and with the evidence", async () => {
    const { queue, look, parts, sent } = await queueWith(ledger);
    await consumed(ledger, queue);
    await breaker(ledger, queue, "closed", 5 * minuteMs);
    const [replay] = await look();
    expect(replay).toMatchObject({ state: "running", requestedBy: "auto-replay", startedBy: "auto-replay" });
    expect(replay?.reason).toMatch(/^Breaker payments has been closed again since 2/u);
    const id = replay?.id ?? new Uint8Array();
    expect(await inWhoseName(ledger, id, [])).toEqual(autoActor);
    expect(await run(parts, id, undefined, undefined, autoActor)).toBe("finished");
    expect(bodiesOf(sent).toSorted()).toEqual(["a", "b"]);
  });

  it("sends them when the health checks that their policy names are green, and not while one is red", async () => {
    const { look, parts } = await queueWith(ledger, { protocol: { health: ["https://payments.test/health"] } });
    const answering = (status: number) => ({ ...parts, call: async () => ({ status, body: new Uint8Array() }) });
    expect(await look(answering(503))).toEqual([]);
    expect(await look(answering(200))).toMatchObject([{ state: "running", reason: /health check is green/u }]);
  });

  it("does not send what could be processed twice unnoticed, and says why, until somebody accepts that", async () => {
    const { queue, look, parts, sent } = await queueWith(ledger);
    await revokeAcceptance(ledger, ledger.database, { source: "rabbit", queue, by: "ops-1" });
    await consumed(ledger, queue);
    await breaker(ledger, queue, "closed", 5 * minuteMs);
    const { started, waiting } = await autoReplays(parts)();
    const place = `rabbit/${queue}`;
    expect(waiting.filter((each) => each.place === place)).toEqual([
      {
        place,
        sentence: `None of these 2 letters has an idempotency key. Accept duplicates there, once: \`dlo queues accept-duplicates ${place} --because handled|harmless\`, or replay them yourself.`,
      },
    ]);
    expect([started.length, sent.length, await look()]).toEqual([0, 0, []]);
    const id = makeId(Date.now(), crypto.randomUUID());
    const accepted = { source: "rabbit", queue, because: "handled", reason: "by id", by: "ops-1" } as const;
    await insertAcceptance(ledger, ledger.database, id, accepted);
    expect(await look()).toMatchObject([{ state: "running" }]);
  });

  describe("never without evidence", () => {
    it.each([
      ["nobody says anything", async () => {}],
      ["nobody is at work", async (queue: string) => breaker(ledger, queue, "closed", 5 * minuteMs)],
      ["the breaker is open", async (queue: string) => breaker(ledger, queue, "open", 5 * minuteMs)],
      [
        "it closed before the letters failed",
        async (queue: string) => breaker(ledger, queue, "closed", 120 * minuteMs),
      ],
      [
        "it closed so soon after the letters failed that clocks may disagree about it",
        async (queue: string) => breaker(ledger, queue, "closed", 59.5 * minuteMs),
      ],
      [
        "nobody was heard of at work for long",
        async (queue: string) => {
          await breaker(ledger, queue, "closed", 5 * minuteMs);
          const silence = `update ${ledger.at}.consumers set last_seen_at = last_seen_at - interval '5 minutes' where queue = $1`;
          await ledger.database.query(silence, [queue]);
        },
      ],
      ["it has only just closed", async (queue: string) => breaker(ledger, queue, "closed", 1_000)],
    ])("%s", async (title, said) => {
      const { queue, look } = await queueWith(ledger);
      if (title !== "nobody is at work") await consumed(ledger, queue);
      await said(queue);
      expect(await look()).toEqual([]);
    });

    it("though a breaker that has just closed is evidence a while later", async () => {
      const { queue, look, parts } = await queueWith(ledger);
      await consumed(ledger, queue);
      await breaker(ledger, queue, "closed", 1_000);
      const later = { ...parts.host.clock, now: () => Date.now() + minuteMs };
      expect(await look({ ...parts, host: { ...parts.host, clock: later } })).toHaveLength(1);
    });
  });

  it.each([
    ["of another category, whatever their protocol says", {}, { "dlo-category": "poison" }],
    ["that were replayed as often as they may be", { maxReplays: 0 }, {}],
    ["whose policy wants a person", { auto: false }, {}],
  ])("never sends letters %s", async (_title, protocol, headers) => {
    const { queue, look, parts } = await queueWith(ledger, { protocol }, headers);
    await consumed(ledger, queue);
    await breaker(ledger, queue, "closed", 5 * minuteMs);
    const willing = async () => ({ ...(await parts.policy()), hasAuto: true });
    expect(await look({ ...parts, policy: willing })).toEqual([]);
  });

  describe("never sends what a person held back:", () => {
    async function evident() {
      const world = await queueWith(ledger);
      await consumed(ledger, world.queue);
      await breaker(ledger, world.queue, "closed", 5 * minuteMs);
      const [first] = world.letters;
      return { ...world, first: first === undefined ? [] : [first] };
    }
    /** Of the replay that the office started, in order. */
    const lettersOf = async ({ parts, look }: Awaited<ReturnType<typeof evident>>) => {
      const [replay] = await look();
      const items = replay === undefined ? [] : await itemsOf(parts, replay.id);
      return items.map(({ letterId }) => hexOf(letterId));
    };

    it("what was taken out of a replay", async () => {
      const world = await evident();
      const replay = await planned(world.parts, world.first);
      await exclude(world.parts, operator, { replay, numbers: [1], reason: "the customer has called" });
      await cancel(world.parts, operator, { replay, reason: "nothing is left" });
      expect(await lettersOf(world)).toEqual(world.letters.slice(1).map(hexOf));
    });

    it("what is to be planned again because it may have been sent", async () => {
      const world = await evident();
      const replay = await planned(world.parts, world.first);
      await started(world.parts, replay);
      const dead = await leadReplay(ledger, replay, 60_000);
      if (dead === null) throw new Error("Nobody else could have led it.");
      await intendItems(ledger, dead, [1]);
      await noteDoubt(ledger, dead, [1]);
      await planAgain(ledger, ledger.database, { replay, numbers: [1] });
      expect(await letterStates(ledger, world.letters)).toEqual(["open", "open"]);
      expect(await lettersOf(world)).toEqual(world.letters.slice(1).map(hexOf));
    });

    it("what was in a replay of the office's own that somebody cancelled before it started", async () => {
      const { parts, letters, queue, look } = await evident();
      const autoPlace = `rabbit/${queue}`;
      const replay = await planReplay(parts, autoActor, { letters, query: `queue:${queue}`, autoPlace });
      await cancel(parts, operator, { replay, reason: "not before the bank has called" });
      expect(await look()).toMatchObject([{ state: "cancelled" }]);
    });

    it("though one that nobody started is given up, and holds nothing back", async () => {
      const { parts, letters, queue, look } = await evident();
      const autoPlace = `rabbit/${queue}`;
      const replay = await planReplay(parts, autoActor, { letters, query: `queue:${queue}`, autoPlace });
      expect(await look()).toMatchObject([{ state: "planned" }]);
      await ledger.database.transaction(async (transaction) => {
        await transaction.query(`alter table ${ledger.at}.replays disable trigger keep_plan`, []);
        const older = `update ${ledger.at}.replays set frozen_at = frozen_at - interval '2 minutes' where id = $1`;
        await transaction.query(older, [uuidOf(replay)]);
        await transaction.query(`alter table ${ledger.at}.replays enable trigger keep_plan`, []);
      });
      expect(await look()).toMatchObject([{ state: "running" }, { state: "expired" }]);
    });
  });

  it("is not planned while all sending is stopped, and one that ran waits for a person afterwards", async () => {
    const { queue, look, parts, hold } = await queueWith(ledger);
    await consumed(ledger, queue);
    await breaker(ledger, queue, "closed", 5 * minuteMs);
    await stopSending(parts, operator, "charged twice");
    expect(await look()).toEqual([]);
    await releaseSending(parts, operator, "it was a test card");
    expect(await look()).toMatchObject([{ state: "running" }]);
    await stopSending(parts, operator, "again");
    await releaseSending(parts, operator, "again");
    await hold("c");
    expect(await look()).toMatchObject([{ state: "paused" }]);
  });

  it("halts when the breaker opens again, and no other begins there until somebody has decided about it", async () => {
    const { queue, look, parts, sent, hold } = await queueWith(ledger);
    await consumed(ledger, queue);
    await breaker(ledger, queue, "closed", 5 * minuteMs);
    const [replay] = await look();
    const id = replay?.id ?? new Uint8Array();
    await breaker(ledger, queue, "open", 0);
    expect(await run(parts, id, undefined, undefined, autoActor)).toBe("halted");
    expect(sent).toEqual([]);
    await breaker(ledger, queue, "closed", 0);
    const later = { ...parts.host.clock, now: () => Date.now() + 1.5 * minuteMs };
    const laterParts = { ...parts, host: { ...parts.host, clock: later } };
    expect(await look(laterParts)).toMatchObject([{ state: "halted" }]);
    await cancel(parts, operator, { replay: id, reason: "not before the bank has called" });
    expect(await look(laterParts)).toMatchObject([{ state: "cancelled" }]);
    await hold("c");
    await ledger.database.query(
      `update ${ledger.at}.replays set ended_at = ended_at - interval '2 hours' where auto_place = $1`,
      [`rabbit/${queue}`],
    );
    await consumed(ledger, queue);
    expect(await look(laterParts)).toMatchObject([{ state: "running" }, { state: "cancelled" }]);
  });

  it("goes on when a person resumes it, and halts once the policy wants a person again", async () => {
    const { queue, look, parts, sent } = await queueWith(ledger);
    await consumed(ledger, queue);
    await breaker(ledger, queue, "closed", 5 * minuteMs);
    const [replay] = await look();
    const id = replay?.id ?? new Uint8Array();
    await stopSending(parts, operator, "wait");
    await releaseSending(parts, operator, "go");
    await resume(parts, operator, { replay: id, reason: "looked at it" });
    const strict = replayWorld(ledger, { protocol: { auto: false } }).parts;
    expect(await run({ ...parts, policy: strict.policy }, id, undefined, undefined, autoActor)).toBe("halted");
    expect(sent).toEqual([]);
    expect(await readReplay(ledger, ledger.database, { id })).toMatchObject({ haltedBy: { guard: "approval" } });
  });

  it("begins once, however many processes look at the same moment", async () => {
    const { queue, look, parts } = await queueWith(ledger);
    await consumed(ledger, queue);
    await breaker(ledger, queue, "closed", 5 * minuteMs);
    await Promise.all(Array.from({ length: 4 }, () => autoReplays(parts)()));
    expect(await look()).toHaveLength(1);
  });
});
