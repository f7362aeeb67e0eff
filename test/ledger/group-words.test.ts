import { beforeAll, expect, it } from "vitest";
import { readId, uuidOf } from "../../src/domain/ids.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { readAudit } from "../../src/ledger/read-audit.ts";
import type { Call } from "../../src/office/operations/operations.ts";
import { callsOn } from "../policy/office.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { arrive } from "./grouped-letters.ts";
import { tester } from "./letters.ts";

const minuteMs = 60_000;

onEachDatabase("what people say about groups", (tested) => {
  let ledger: Ledger;
  let call: Call;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database, schema: `words_${tested.name.toLowerCase()}` });
    call = callsOn(ledger);
  });

  /** A group of its own queue, with so many letters. */
  async function groupOf(n: number, queue = `coils-${crypto.randomUUID()}`) {
    const failures = Array.from({ length: n }, (_, at) => ({ message: `flux of coil ${at} inverted`, queue }));
    const [letter = "", ...others] = await arrive(ledger, failures);
    return { id: (await call("letters.get", tester, { id: letter })).group, queue, letters: [letter, ...others] };
  }
  /** Answers are shared for a moment: what is asked is asked anew. */
  const inbox = async (withSnoozed = false) => {
    const { items, snoozed } = await callsOn(ledger)("inbox.list", tester, { limit: 200, withSnoozed });
    return { ids: items.map(({ id }) => id), snoozed, of: (id: string) => items.find((item) => item.id === id) };
  };
  const shown = async (id: string) => (await call("groups.get", tester, { id })).attention;

  it("puts an acknowledged group behind the others until it grows", async () => {
    const seen = await groupOf(4);
    const other = await groupOf(1);
    await call("groups.acknowledge", tester, { id: seen.id, reason: "payments knows" });
    const { ids, of } = await inbox();
    expect(ids.indexOf(seen.id)).toBeGreaterThan(ids.indexOf(other.id));
    expect(of(seen.id)).toMatchObject({
      ...{ why: "acknowledged", attention: { status: "acknowledged", by: "tester", reason: "payments knows" } },
    });
    await groupOf(9, seen.queue);
    expect(await shown(seen.id)).toMatchObject({ status: "acknowledged" });
    await groupOf(1, seen.queue);
    expect(await shown(seen.id)).toMatchObject({ status: null, ended: "It had 4 open letters and has 14 now." });
    expect((await inbox()).of(seen.id)).toMatchObject({ why: "new" });
  });

  it("takes an acknowledgement as over when its letters are taken for something else", async () => {
    const { id } = await groupOf(2);
    await call("groups.acknowledge", tester, { id });
    await call("groups.classify", tester, { id, category: "poison", reason: "a bug" });
    expect(await shown(id)).toMatchObject({ status: null, ended: "It was unknown and is poison now." });
    await call("groups.acknowledge", tester, { id });
    expect(await shown(id)).toMatchObject({ status: "acknowledged", ended: null });
  });

  it("finds letters by who has their group and whether it may wait, wherever a search is taken", async () => {
    const [mine, snoozed, seen] = [await groupOf(2), await groupOf(3), await groupOf(4)];
    const queues = [mine, snoozed, seen].map(({ queue }) => queue).join(",");
    await call("groups.assign", tester, { id: mine.id, to: tester.id });
    await call("groups.snooze", tester, { id: snoozed.id, untilWorse: true });
    await call("groups.acknowledge", tester, { id: seen.id });
    const found = async (q: string, actor = tester) => {
      const { items } = await call("letters.list", actor, { q: `queue:${queues} ${q}` });
      return items.length;
    };
    expect(await found("is:mine")).toBe(2);
    expect(await found("assignee:me")).toBe(2);
    expect(await found("is:mine", { ...tester, id: "somebody-else" })).toBe(0);
    expect(await found("is:snoozed")).toBe(3);
    expect(await found("is:acknowledged,mine")).toBe(6);
    expect(await found("-is:snoozed -is:acknowledged")).toBe(2);
    const q = `queue:${queues} is:snoozed`;
    expect((await call("letters.count", tester, { q })).n).toBe(3);
    expect((await call("letters.facets", tester, { q })).n).toBe(3);
    expect((await call("groups.list", tester, { q })).items.map(({ id }) => id)).toEqual([snoozed.id]);
    expect((await call("letters.export", tester, { q })).lines).toHaveLength(3);
    await groupOf(20, snoozed.queue);
    expect(await found("is:snoozed"), "it got worse").toBe(0);
    const drop = { q: `queue:${queues} is:mine`, reason: "they were tests", expectCount: 2 };
    expect(await call("letters.drop", tester, drop)).toEqual({ letters: 2, released: 0 });
    await call("groups.assign", tester, { id: mine.id, to: null });
    expect(await found("is:mine")).toBe(0);
  });

  it("keeps a snoozed group out of the inbox until its time, or until it gets worse", async () => {
    const { id, queue } = await groupOf(2);
    await expect(call("groups.snooze", tester, { id })).rejects.toThrow("Say until when");
    const past = new Date(Date.now() - 1_000).toISOString();
    await expect(call("groups.snooze", tester, { id, until: past })).rejects.toThrow("past already");
    const before = (await inbox()).snoozed;
    await call("groups.snooze", tester, { id, until: new Date(Date.now() + 60 * minuteMs).toISOString() });
    const { ids, snoozed } = await inbox();
    expect([ids.includes(id), snoozed]).toEqual([false, before + 1]);
    expect((await inbox(true)).ids.at(-1)).toBe(id);
    await groupOf(20, queue);
    expect(await shown(id)).toMatchObject({ status: "snoozed" });

    await call("groups.wake", tester, { id });
    expect((await inbox()).ids).toContain(id);
    await call("groups.snooze", tester, { id, untilWorse: true });
    expect((await inbox()).ids).not.toContain(id);
    await groupOf(12, queue);
    expect(await shown(id)).toMatchObject({ status: null, ended: "It had 22 open letters and has 34 now." });
    expect((await inbox()).ids).toContain(id);
  });

  it("is over by the clock when a snooze's time has come", async () => {
    const { id } = await groupOf(1);
    const word = { id, until: new Date(Date.now() + 60 * minuteMs).toISOString() };
    await call("groups.snooze", tester, word);
    await ledger.database.query(
      `insert into ${ledger.at}.group_words (group_id, n, at, actor, kind, until, stood)
       select group_id, n + 1, at + interval '1 ms', actor, kind, at, stood from ${ledger.at}.group_words where group_id = $1`,
      [uuidOf(readId("group", id))],
    );
    expect(await shown(id)).toMatchObject({ status: null, ended: "Its time has come." });
    expect((await inbox()).ids).toContain(id);
  });

  it("remembers who has it, what was noted and what happened, in one history, in the audit log too", async () => {
    const { id, queue, letters } = await groupOf(2);
    await call("deploys.record", tester, {
      ...{ service: "coils", version: "2.15.0", queues: [queue] },
      deployedAt: new Date(Date.now() - 4 * minuteMs).toISOString(),
    });
    await call("groups.assign", tester, { id, to: "me" });
    await call("groups.note", tester, { id, text: "vendor ticket 4711" });
    await call("groups.classify", tester, { id, category: "transient", reason: "the pump" });
    await call("replays.plan", tester, { letters: [...letters], name: "pump again" });
    await call("fixes.record", tester, { group: id, called: "a1b2c3" });
    expect(await shown(id)).toMatchObject({ assignee: "tester", notes: 1, status: null });
    const found = async (q: string) => (await call("letters.list", tester, { q: `queue:${queue} ${q}` })).items.length;
    expect([await found("assignee:Tester"), await found("has:note"), await found("assignee:ana")]).toEqual([2, 2, 0]);
    const { items, suspect } = await call("groups.timeline", tester, { id });
    // What two clocks say may be the same to the millisecond: by time, and then in any order.
    expect(items.map(({ at }) => at)).toEqual(
      items
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
    expect(items.map(({ by, sentence }) => `${by} ${sentence}`).toSorted()).toEqual([
      "tester assigned it to tester",
      "tester classified its letters as transient",
      "tester noted",
      "tester planned the replay pump again",
      "tester recorded that coils 2.15.0 went live",
      "tester recorded the fix a1b2c3",
    ]);
    expect(suspect).toMatchObject({ called: "coils 2.15.0" });
    await call("groups.assign", tester, { id, to: null });
    expect(await shown(id)).toMatchObject({ assignee: null });
    expect(await found("assignee:tester")).toBe(0);
    const [last] = await readAudit(ledger, { before: null, limit: 1 });
    expect(JSON.parse(last?.text ?? "")).toMatchObject({ action: "groups.assigned", group: id, said: null });
    const viewer = { ...tester, roles: ["viewer"] as const };
    await expect(call("groups.note", viewer, { id, text: "no" })).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  });

  it("remembers what introduced it, before there is a fix and with one, and marks the deploy of that version", async () => {
    const { id, queue } = await groupOf(1);
    const deploy = async (version: string, minutesAgo: number) =>
      call("deploys.record", tester, {
        ...{ service: "coils", version, queues: [queue] },
        deployedAt: new Date(Date.now() - minutesAgo * minuteMs).toISOString(),
      });
    await deploy("2.15.0+3f2a91c", 9);
    await deploy("2.15.1", 4);
    const timeline = () => call("groups.timeline", tester, { id });
    expect((await timeline()).suspect).toMatchObject({ called: "coils 2.15.1", isIntroduction: false });

    await call("groups.introducedBy", tester, { id, commit: "3f2a91c0d4e5", reason: "bisected" });
    expect(await shown(id)).toMatchObject({ introducedBy: "3f2a91c0d4e5" });
    const { items, suspect } = await timeline();
    expect(suspect).toMatchObject({ called: "coils 2.15.0+3f2a91c", isIntroduction: true });
    expect(items.map(({ sentence, text }) => `${sentence}: ${text}`)).toEqual([
      "recorded that 3f2a91c0d4e5 introduced it: bisected",
      "recorded that coils 2.15.1 went live: null",
      "recorded that coils 2.15.0+3f2a91c went live: introduced it",
    ]);
    const introduced = async () => {
      const deploys = await call("deploys.list", tester, {});
      return deploys.items.filter(({ queues }) => queues.includes(queue)).map(({ introduced: groups }) => groups);
    };
    expect(await introduced()).toEqual([[], [{ group: id, by: "tester" }]]);

    await call("fixes.record", tester, { group: id, called: "2.15.2" });
    const latest = async () => (await call("fixes.list", tester, {})).items[0];
    expect(await latest()).toMatchObject({ called: "2.15.2", introducedBy: "3f2a91c0d4e5" });
    await call("fixes.record", tester, { group: id, called: "2.15.3", introducedBy: "coils@2.15.1" });
    expect(await latest()).toMatchObject({ called: "2.15.3", introducedBy: "coils@2.15.1" });
    expect(await shown(id)).toMatchObject({ introducedBy: "coils@2.15.1" });
    expect(await introduced()).toEqual([[{ group: id, by: "tester" }], []]);

    await call("groups.introducedBy", tester, { id, commit: null, reason: "it was older" });
    expect([(await shown(id)).introducedBy, await introduced()]).toEqual([null, [[], []]]);
    const [last] = await readAudit(ledger, { before: null, limit: 1 });
    expect(JSON.parse(last?.text ?? "")).toMatchObject({ action: "groups.introduced", group: id, said: null });
  });

  it("follows a group into the one it is merged with", async () => {
    const [one, queue] = [await groupOf(1), `coils-${crypto.randomUUID()}`];
    await arrive(ledger, [{ message: "coil 1 melted", queue: one.queue }]);
    const { items } = await call("groups.list", tester, { q: `queue:${one.queue} error:melted` });
    const other = items[0]?.id ?? queue;
    await call("groups.note", tester, { id: other, text: "it melts" });
    await call("groups.merge", tester, { id: other, into: one.id });
    expect(await shown(one.id)).toMatchObject({ notes: 1 });
    await call("groups.note", tester, { id: other, text: "still" });
    expect(await shown(other)).toMatchObject({ notes: 2 });
  });
});
