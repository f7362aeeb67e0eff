import { beforeAll, expect, it } from "vitest";
import { readId, showId, uuidOf } from "../../src/domain/ids.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { readAudit } from "../../src/ledger/read-audit.ts";
import { reclassify } from "../../src/ledger/reclassify.ts";
import { classifyGroup } from "../../src/office/decide/classify-letters.ts";
import type { Call } from "../../src/office/operations/operations.ts";
import { systemHost } from "../../src/system/host.ts";
import { callsOn } from "../policy/office.ts";
import { holdLetters } from "../replay/world.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { arrive } from "./grouped-letters.ts";
import { tester } from "./letters.ts";

const reason = "the pump was restarted";

onEachDatabase("classifying by hand", (tested) => {
  let ledger: Ledger;
  let call: Call;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database, schema: `hand_${tested.name.toLowerCase()}` });
    call = callsOn(ledger);
  });

  /** Letters that nobody knows what they are, in a queue and group of their own. */
  async function unknowns(n: number, queue = `coils-${crypto.randomUUID()}`) {
    const failures = Array.from({ length: n }, (_, at) => ({ message: `flux of coil ${at} inverted`, queue }));
    const letters = await arrive(ledger, failures);
    const group = (await whole(letters[0])).group;
    return { queue, letters, group };
  }
  const whole = (id = "") => call("letters.get", tester, { id });
  const counted = async (queue: string) =>
    Object.fromEntries(
      (await call("queues.list", tester, {})).counts
        .filter((count) => count.queue === queue && count.n > 0)
        .map(({ category, state, n }) => [`${category} ${state}`, n]),
    );
  const audited = async () =>
    JSON.parse((await readAudit(ledger, { before: null, limit: 1 }))[0]?.text ?? "") as unknown;

  it("keeps what a letter was, says who said what it is, and moves the counts; taken back by classifying back", async () => {
    const { queue, letters, group } = await unknowns(2);
    const [id = ""] = letters;
    const before = await whole(id);
    expect(before).toMatchObject({ category: "unknown", was: "unknown", sideEffect: "none" });
    await call("letters.classify", tester, { letters: [id], category: "transient", reason });
    const after = await whole(id);
    expect(after).toMatchObject({
      ...{ category: "transient", was: "unknown", rule: "person", confidence: 1, why: `tester: ${reason}` },
      ...{ sideEffect: "none", group },
    });
    expect(after.classifications).toMatchObject([
      before.classifications[0],
      { n: 2, category: "transient", rule: "person", by: "tester" },
    ]);
    expect(await counted(queue)).toEqual({ "unknown open": 1, "transient open": 1 });
    expect(await audited()).toMatchObject({
      action: "letters.classified",
      letters: [id],
      category: "transient",
      reason,
    });

    await call("letters.classify", tester, { letters: [id], category: "unknown", reason: "it was not" });
    expect(await counted(queue)).toEqual({ "unknown open": 2 });
    expect((await whole(id)).classifications.map(({ category }) => category)).toEqual([
      ...["unknown", "transient", "unknown"],
    ]);
  });

  it("opens the protocol of that category and nothing more", async () => {
    const letters = (await holdLetters(ledger, ["a", "b"], { "dlo-category": "unknown" })).map((id) =>
      showId("letter", id),
    );
    const reasons = async () => {
      const { id } = await call("replays.plan", tester, { letters });
      return (await call("replays.items", tester, { id })).items.map((item) => item.reason.code);
    };
    const say = (which: string[], sideEffect: "uncertain" | null = null) =>
      call("letters.classify", tester, {
        ...{ letters: which, category: "transient", sideEffect, reason, expectCount: which.length },
      });
    expect(await reasons()).toEqual(["category.unknown", "category.unknown"]);
    await say(letters);
    expect(await reasons()).toEqual(["ready", "ready"]);
    await say(letters.slice(0, 1), "uncertain");
    expect(await reasons()).toEqual(["side_effect.uncertain", "ready"]);
    await say(letters);
    expect(await reasons()).toEqual(["side_effect.uncertain", "ready"]);
  });

  it("names all letters or none, as many as were meant, with a reason", async () => {
    const { queue, letters } = await unknowns(3);
    const said = { category: "poison", reason } as const;
    const q = `queue:${queue}`;
    await expect(call("letters.classify", tester, { q, ...said })).rejects.toMatchObject({
      ...{ code: "PLAN_CHANGED", details: { found: 3, expected: null } },
    });
    await expect(call("letters.classify", tester, { ...said })).rejects.toMatchObject({ code: "INVALID_OPTION" });
    await expect(
      call("letters.classify", tester, { q, category: "poison", reason: " ", expectCount: 3 }),
    ).rejects.toThrow("Say why");
    await call("letters.drop", tester, { letters: letters.slice(0, 1), reason });
    const all = call("letters.classify", tester, { letters: [...letters], ...said, expectCount: 3 });
    await expect(all).rejects.toMatchObject({ code: "LETTER_DECIDED", details: { asked: 3, found: 2 } });
    expect(await counted(queue)).toEqual({ "unknown open": 2, "unknown dropped": 1 });
    await expect(
      call("letters.classify", { ...tester, roles: ["viewer"] }, { letters: [...letters], ...said }),
    ).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  });

  it("says it of all open letters of a group in steps, and leaves what comes later to its evidence", async () => {
    const { queue, letters, group } = await unknowns(1_003);
    await call("letters.drop", tester, { letters: letters.slice(0, 1), reason });
    const said = { id: group, category: "transient", reason } as const;
    await expect(call("groups.classify", tester, { ...said, expectCount: 5 })).rejects.toThrow("about 1,002 letters");
    const done = await call("groups.classify", tester, { ...said, expectCount: 1_002 });
    expect(done).toEqual({ group, letters: 1_002 });
    expect(await counted(queue)).toEqual({ "unknown dropped": 1, "transient open": 1_002 });
    expect(await audited()).toMatchObject({ action: "groups.classified", group, n: 2, category: "transient" });
    expect(await call("groups.get", tester, { id: group })).toMatchObject({
      ...{ category: "transient", nextStep: { code: "replay.plan" } },
    });
    const [late = ""] = (await unknowns(1, queue)).letters;
    expect(await whole(late)).toMatchObject({ category: "unknown", group });
    const { looked, reasons, ...found } = await call("groups.get", tester, { id: group });
    expect(found).toMatchObject({ category: "transient", open: 1_003 });
    expect(looked).toBe(100);
    expect(reasons).toMatchObject([
      { category: "transient", n: 99, sentence: `100 % sure (person). ${tester.id}: ${reason}` },
      { category: "unknown", n: 1 },
    ]);
  });

  it("says nothing of letters that come while it goes on, as many as were meant stay as many", async () => {
    const { queue, group } = await unknowns(1_002);
    const parts = { ledger: interrupted(ledger, () => unknowns(1, queue)), host: systemHost };
    const said = { group, retentionMs: 86_400_000, category: "transient", sideEffect: null, reason } as const;
    expect(await classifyGroup(parts, tester, said)).toBe(1_002);
    expect(await counted(queue)).toEqual({ "transient open": 1_002, "unknown open": 1 });
  });

  it("goes on where a crash stopped it: what was said already is not said again, and the group is called so", async () => {
    const { letters, group } = await unknowns(1_002);
    const said = { group, retentionMs: 86_400_000, category: "transient", sideEffect: null, reason } as const;
    const crashed = interrupted(ledger, () => Promise.reject(new Error("crashed")));
    await expect(classifyGroup({ ledger: crashed, host: systemHost }, tester, said)).rejects.toThrow("crashed");
    expect(await call("groups.get", tester, { id: group })).toMatchObject({ category: "unknown" });
    const again = { id: group, category: "transient", reason, expectCount: 1_002 } as const;
    const [first, second] = await Promise.all([
      call("groups.classify", tester, again),
      call("groups.classify", tester, again),
    ]);
    expect(first.letters + second.letters).toBe(2);
    const { rows } = await ledger.database.query<{ n: number }>(
      `select distinct count(*)::integer as n from ${ledger.at}.classifications
       where letter_id = any ($1::uuid[]) group by letter_id`,
      [letters.map((id) => uuidOf(readId("letter", id)))],
    );
    expect(rows).toEqual([{ n: 2 }]);
    expect(await call("groups.get", tester, { id: group })).toMatchObject({ category: "transient" });
    expect(await call("groups.classify", tester, { ...again, sideEffect: "uncertain" })).toMatchObject({
      letters: 1_002,
    });
  });

  it("stands against rules that come later, also against one that had not heard of it", async () => {
    const { letters } = await unknowns(1);
    const [id = ""] = letters;
    await call("letters.classify", tester, { letters: [id], category: "business_rule", reason });
    const text = "version: 1\nrules:\n  - { id: coils, pattern: { message: flux }, category: poison, why: coils }\n";
    await call("policy.apply", tester, { text, reason });
    expect(await whole(id)).toMatchObject({ category: "business_rule", rule: "person" });
    const ruled = { category: "poison", confidence: 1, rule: "rule/coils", why: "coils", sideEffect: "none" } as const;
    const move = { letter: readId("letter", id), classification: { ...ruled, runnerUp: null } };
    expect(await reclassify(ledger, ledger.database, [move], 1)).toBe(0);
  });

  it("is no outcome of a replay, and keeps the failure that a return brought", async () => {
    const { queue, letters } = await unknowns(1);
    const id = letters[0] ?? "";
    const uuid = uuidOf(readId("letter", id));
    await ledger.database.query(
      `update ${ledger.at}.letters set state = 'returned', replays = 1, category = 'poison' where id = $1`,
      [uuid],
    );
    await ledger.database.query(
      `insert into ${ledger.at}.classifications
         (letter_id, n, at, category, confidence, rule, why, side_effect, fingerprint, words)
       values ($1, 2, now(), 'poison', 1, 'class/TypeError', 'a bug', 'none', '\\x0102', ''::tsvector)`,
      [uuid],
    );
    await call("letters.classify", tester, { letters: [id], category: "transient", reason });
    const found = async (q: string) => (await call("letters.list", tester, { q: `queue:${queue} ${q}` })).items.length;
    expect([
      await found("outcome:poison"),
      await found("outcome:transient"),
      await found("category:transient"),
    ]).toEqual([...[1, 0, 1]]);
    const { rows } = await ledger.database.query<{ fingerprint: string }>(
      `select encode(fingerprint, 'hex') as fingerprint from ${ledger.at}.classifications where letter_id = $1 and n = 3`,
      [uuid],
    );
    expect(rows).toEqual([{ fingerprint: "0102" }]);
  });
});

/** The ledger, and what happens once after the first step of a classification was committed. */
function interrupted(ledger: Ledger, meanwhile: () => Promise<unknown>): Ledger {
  const { database } = ledger;
  let isOver = false;
  const transaction: typeof database.transaction = async (work) => {
    const result = await database.transaction(work);
    if (!isOver) {
      isOver = true;
      await meanwhile();
    }
    return result;
  };
  return { ...ledger, database: { ...database, transaction } };
}
