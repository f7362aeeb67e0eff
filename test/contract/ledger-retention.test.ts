import { createHash } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeId, showId, uuidOf } from "../../src/domain/ids.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { applyRetention, retentionDue } from "../../src/ledger/retention.ts";
import { keepRetentionTurn, readRetention, takeRetentionTurn } from "../../src/ledger/retention-turn.ts";
import { countQueues } from "../../src/ledger/search/count-queues.ts";
import { outcomeMatrix } from "../../src/ledger/search/outcome-matrix.ts";
import { readLetter } from "../../src/ledger/search/read-letter.ts";
import { addLetterTags, tagChangesOf, tagsOfLetter } from "../../src/ledger/tags.ts";
import { verifyAudit } from "../../src/ledger/verify-audit.ts";
import { giveBack } from "../../src/office/decide/give-back.ts";
import { sendCompensation, settleCompensation } from "../../src/office/decide/send-compensation.ts";
import { officeItself } from "../../src/office/intake/own-drain.ts";
import { cancel } from "../../src/office/replay/steer-replay.ts";
import { runWhereDue } from "../../src/office/retention/standing-retention.ts";
import { systemClock } from "../../src/system/host.ts";
import { deadLetter, hold, tester, testRoom } from "../ledger/letters.ts";
import { callsOn } from "../policy/office.ts";
import { letterStates, planned, replayWorld, run, started } from "../replay/world.ts";
import { onEachDatabase } from "../servers/each-database.ts";

const dayMs = 86_400_000;
const retentionMs = 90 * dayMs;

async function lastEntries(ledger: Ledger, n: number): Promise<readonly Record<string, unknown>[]> {
  const { rows } = await ledger.database.query<{ entry: Uint8Array }>(
    "select entry from dlo.audit_log order by n desc limit $1",
    [n],
  );
  return rows.map(({ entry }) => JSON.parse(Buffer.from(entry).toString()) as Record<string, unknown>);
}

onEachDatabase("retention", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  const now = Date.now();
  const apply = () => applyRetention(ledger, { actor: tester, now, retentionMs });
  let queue = "";
  beforeEach(() => {
    queue = `kept-${crypto.randomUUID()}`;
  });

  /** One letter that came so many days ago. */
  async function arrived(
    daysAgo: number,
    position = crypto.randomUUID(),
    stack = "Error\n    at a (b.js:1:1)",
  ): Promise<Uint8Array> {
    const at = now - daysAgo * dayMs;
    const id = makeId(at, crypto.randomUUID());
    const room = { ...testRoom(), newLetterId: () => ({ id, arrivedAt: at }) };
    const headers = { queue, class: "Error", stack, "dlo-category": "transient" };
    await hold(ledger, [{ letter: deadLetter({ body: position, headers }), found: { kind: "position", position } }], {
      room,
    });
    return id;
  }

  const isThere = async (id: Uint8Array) => (await letterStates(ledger, [id])).length === 1;
  const counted = async () => (await countQueues(ledger)).filter((each) => each.queue === queue);

  it("expires what nobody decided about, says so in the audit log, and lets whole weeks go", async () => {
    const [old, young] = [await arrived(200), await arrived(80)];
    expect(await retentionDue(ledger, { now, retentionMs })).toMatchObject({ toExpire: 1, isAtLeast: false });
    const { expired, dropped } = await apply();
    expect(expired).toBe(1);
    expect(dropped).toEqual([expect.objectContaining({ letters: 1 })]);
    expect(await isThere(old)).toBe(false);
    expect(await isThere(young)).toBe(true);
    expect(await lastEntries(ledger, 2)).toMatchObject([
      { action: "letters.forgotten", letters: 1, actor: { id: "tester" } },
      { action: "letters.expired", n: 1, first: showId("letter", old) },
    ]);
    expect((await verifyAudit(ledger, null)).problem).toBe(null);
  });

  it("expires in steps, each with its entry of the audit log, and begins no step twice", async () => {
    const many = Array.from({ length: 620 }, (_, n) => ({
      letter: deadLetter({ body: `${n}`, headers: { queue, class: "Error" } }),
      found: { kind: "position", position: `${queue} ${n}` } as const,
    }));
    const at = now - 700 * dayMs;
    const newLetterId = () => ({ id: makeId(at, crypto.randomUUID()), arrivedAt: at });
    await hold(ledger, many, { room: { ...testRoom(), newLetterId } });
    const before = await readRetention(ledger);
    let steps = 0;
    const stopped = await applyRetention(ledger, { actor: tester, now, retentionMs, between: async () => ++steps < 1 });
    expect([stopped.expired, stopped.isComplete, steps]).toEqual([500, false, 1]);
    expect(await lastEntries(ledger, 1)).toMatchObject([{ action: "letters.expired", n: 500 }]);
    expect((await apply()).expired).toBe(120);
    const { totals } = await readRetention(ledger);
    expect([totals.expired - before.totals.expired, totals.letters - before.totals.letters]).toEqual([620, 620]);
  });

  describe("in its turns", () => {
    it("is run by one process at a time, and by another one when that is gone", async () => {
      const office = { ledger, bodies: null, clock: systemClock, retentionMs };
      const { signal } = new AbortController();
      const run = () => runWhereDue(office, officeItself, signal);
      const due = () => tested.database.query(`update ${ledger.at}.retention_turn set next_at = '-infinity'`);
      await arrived(200);
      expect((await Promise.all([run(), run(), run()])).filter(Boolean)).toEqual([true]);
      const { last, nextAt, isRunning } = await readRetention(ledger);
      expect({ last, isRunning }).toMatchObject({
        last: { by: "office", expired: 1, weeks: 1, letters: 1 },
        isRunning: false,
      });
      expect(Date.parse(nextAt ?? "") - Date.parse(last?.at ?? "")).toBe(3_600_000);
      expect(await run()).toBe(false);
      await due();
      const dead = await takeRetentionTurn(ledger, 60_000);
      expect([dead === null, await run()]).toEqual([false, false]);
      await tested.database.query(
        `update ${ledger.at}.retention_turn set held_until = ${ledger.at}.clock() - interval '1 s'`,
      );
      expect(await run()).toBe(true);
      expect(dead && (await keepRetentionTurn(ledger, dead, 60_000))).toBeNull();
    });

    it("leaves the rest to the next when its process ends in the middle", async () => {
      const office = { ledger, bodies: null, clock: systemClock, retentionMs };
      await tested.database.query(`update ${ledger.at}.retention_turn set next_at = '-infinity'`);
      await arrived(800);
      expect(await runWhereDue(office, officeItself, AbortSignal.abort())).toBe(true);
      const { isRunning, nextAt } = await readRetention(ledger);
      expect({ isRunning, nextAt }).toEqual({ isRunning: false, nextAt: null });
      expect(await runWhereDue(office, officeItself, new AbortController().signal)).toBe(true);
      expect(await retentionDue(ledger, { now, retentionMs })).toMatchObject({ toExpire: 0 });
    });

    it("runs for one caller at a time, and a second is told that it runs already", async () => {
      const call = callsOn(ledger);
      await arrived(720);
      const both = await Promise.allSettled([call("retention.apply", tester, {}), call("retention.apply", tester, {})]);
      const refused = both.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
      expect(refused).toMatchObject([{ code: "RETENTION_RUNNING" }]);
      const { nextAt, isRunning } = await readRetention(ledger);
      expect([nextAt === null, isRunning]).toEqual([false, false]);
      // Not due, and it runs all the same.
      expect((await call("retention.apply", tester, {})).dropped).toEqual([]);
    });

    it("calls no week kept that another run has removed meanwhile", async () => {
      const ids = [await arrived(740), await arrived(760)];
      let meanwhile: Promise<unknown> | null = null;
      const between = async () => {
        if ((await letterStates(ledger, ids)).length === 1) meanwhile ??= apply();
        await meanwhile;
        return true;
      };
      const { kept } = await applyRetention(ledger, { actor: tester, now, retentionMs, between });
      expect([meanwhile === null, kept]).toEqual([false, (await apply()).kept]);
    });
  });

  describe("of what belongs to letters", () => {
    it("lets a large body go with the last letter that has it, in whichever store each was kept", async () => {
      const keep = async (store: string, daysAgo: number, text: string) => {
        const at = now - daysAgo * dayMs;
        const nothing = () => Promise.resolve();
        const bodies = { name: store, keep: nothing, forget: nothing, read: () => Promise.resolve(null) };
        const room = {
          ...testRoom(),
          bodies,
          newLetterId: () => ({ id: makeId(at, crypto.randomUUID()), arrivedAt: at }),
        };
        const position = `${store} ${text}`;
        const letter = deadLetter({ body: text.repeat(300_000), headers: { queue, class: "Error" } });
        await hold(ledger, [{ letter, found: { kind: "position", position } }], { room });
      };
      await keep("fs", 200, "a");
      await keep("fs", 200, "b");
      await keep("s3", 80, "a");
      const { dropped } = await apply();
      const ofB = createHash("sha256").update("b".repeat(300_000)).digest("hex");
      expect(dropped).toMatchObject([{ letters: 2, unreferenced: [`fs:${ofB}`] }]);
    });

    it("lets stacks go with their week, and not those that other weeks have", async () => {
      const stacks = async () => {
        const { rows } = await ledger.database.query<{ stack: string }>("select distinct stack from dlo.stacks");
        return rows.map(({ stack }) => stack);
      };
      const [old, shared] = [crypto.randomUUID(), crypto.randomUUID()];
      await arrived(500, crypto.randomUUID(), old);
      await arrived(500, crypto.randomUUID(), shared);
      const young = await arrived(5, crypto.randomUUID(), shared);
      await apply();
      expect(await stacks()).not.toContain(old);
      expect(await stacks()).toContain(shared);
      expect((await readLetter(ledger, showId("letter", young))).stack).toBe(shared);
    });

    it("lets tags go with their letters, and not those of others", async () => {
      const [old, young] = [await arrived(550), await arrived(5)];
      await addLetterTags(ledger, ledger.database, { letters: [old, young], tags: ["hold"], by: "ann" });
      await apply();
      const tagged = await Promise.all([old, young].map((id) => tagsOfLetter(ledger, uuidOf(id))));
      expect(tagged.map((tags) => tags.map(({ tag }) => tag))).toEqual([[], ["hold"]]);
      const changes = await Promise.all(
        [old, young].map((id) => tagChangesOf(ledger, { letter: uuidOf(id), groups: [] })),
      );
      expect(changes.map((each) => each.length)).toEqual([0, 1]);
    });
  });

  describe("of letters in hand", () => {
    it("leaves letters alone that a replay has in hand, and their week", async () => {
      const id = await arrived(600);
      const { parts } = replayWorld(ledger, { protocol: { settleS: 3_600 } });
      await planned(parts, [id]);
      const { kept } = await apply();
      expect(await letterStates(ledger, [id])).toEqual(["open"]);
      expect(kept.map(({ because }) => because)).toEqual(["in replay"]);
    });

    it("leaves letters of a halted replay, which can be resumed, and their week", async () => {
      const id = await arrived(640);
      const { parts } = replayWorld(ledger, { protocol: { settleS: 3_600 } });
      const replay = await planned(parts, [id]);
      await tested.database.query(`update ${ledger.at}.replays set state = 'halted' where id = $1`, [uuidOf(replay)]);
      await apply();
      expect(await letterStates(ledger, [id])).toEqual(["open"]);
      await cancel(parts, tester, { replay, reason: "not needed" });
      await apply();
      expect(await letterStates(ledger, [id])).toEqual([]);
    });

    it("leaves letters whose send out of a replay has no answer yet, until it is settled", async () => {
      const [corrected, undrained] = [await arrived(660), await arrived(680)];
      const { parts } = replayWorld(ledger, { onSend: () => Promise.reject(new Error("socket hang up")) });
      const asked = { reason: "charged twice", reference: null };
      const message = { source: "rabbit", queue: "refunds", body: new Uint8Array(), headers: {} };
      await sendCompensation(parts, tester, { ...asked, letters: [corrected], message });
      await giveBack(parts, tester, { ...asked, letters: [undrained] });
      const states = () => Promise.all([corrected, undrained].map(async (id) => (await letterStates(ledger, [id]))[0]));
      expect(await states()).toEqual(["in_replay", "in_doubt"]);
      const { toExpire } = await retentionDue(ledger, { now, retentionMs });
      const { expired } = await apply();
      expect([await states(), toExpire, expired]).toEqual([["in_replay", "in_doubt"], 0, 0]);
      await tested.database.query(
        `update ${ledger.at}.compensations set attempted_at = attempted_at - interval '1 hour'`,
      );
      for (const letter of [corrected, undrained])
        await settleCompensation(parts, tester, { letter, outcome: "unsent", reason: "it is not there" });
      expect((await apply()).expired).toBe(2);
    });
  });

  it("keeps a week whose time is over for a part of it only, with its letters expired", async () => {
    const id = await arrived(91);
    await apply();
    const states = await letterStates(ledger, [id]);
    expect(states.length === 0 || states[0] === "expired").toBe(true);
  });

  it("keeps counters equal to the letters there are", async () => {
    await arrived(300);
    await arrived(300);
    await arrived(10);
    await apply();
    expect(await counted()).toEqual([expect.objectContaining({ queue, state: "open", n: 1 })]);
  });

  it("does not raise what is gone when its log is drained again", async () => {
    const position = crypto.randomUUID();
    await arrived(400, position);
    await apply();
    const letter = deadLetter({
      body: position,
      headers: { queue, class: "Error", stack: "Error\n    at a (b.js:1:1)", "dlo-category": "transient" },
    });
    expect(await hold(ledger, [{ letter, found: { kind: "position", position } }])).toEqual(["known"]);
  });

  it("shows what replayed letters were and became", async () => {
    const id = await arrived(1);
    const { parts } = replayWorld(ledger);
    const replay = await planned(parts, [id]);
    await started(parts, replay);
    await run(parts, replay);
    expect(await outcomeMatrix(ledger)).toEqual([{ was: "transient", became: "presumed", n: 1 }]);
  });
});
