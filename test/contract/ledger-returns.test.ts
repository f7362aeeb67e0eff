import { beforeAll, describe, expect, it } from "vitest";
import { idOfUuid, makeId, readId, showId, uuidOf } from "../../src/domain/ids.ts";
import { type Message, makeMessage, textHeader } from "../../src/domain/message.ts";
import { readBackup } from "../../src/ledger/backup/read-backup.ts";
import { writeBackup } from "../../src/ledger/backup/write-backup.ts";
import { beginSession, type DrainSession } from "../../src/ledger/drain-session.ts";
import type { HoldOutcome } from "../../src/ledger/hold-letters.ts";
import { intendItems, leadReplay, noteSent } from "../../src/ledger/lead-replay.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { countQueues } from "../../src/ledger/search/count-queues.ts";
import { readGroup } from "../../src/ledger/search/find-groups.ts";
import { readLetter } from "../../src/ledger/search/read-letter.ts";
import { verifyAudit } from "../../src/ledger/verify-audit.ts";
import { groupingKeeper } from "../../src/office/grouping/grouping-keeper.ts";
import { regroup } from "../../src/office/grouping/regroup.ts";
import type { ReadingRoom } from "../../src/office/intake/read-letters.ts";
import { systemHost } from "../../src/system/host.ts";
import { deadLetter, hold, tester, testRoom } from "../ledger/letters.ts";
import { callsOn } from "../policy/office.ts";
import {
  countsOf,
  holdLetters,
  itemsOf,
  letterStates,
  planned,
  recordFix,
  replayWorld,
  run,
  started,
} from "../replay/world.ts";
import { onEachDatabase } from "../servers/each-database.ts";

const without = ({ headers, ...message }: Message, dropped: readonly string[]): Message => ({
  ...message,
  headers: headers.filter(({ name }) => !dropped.includes(name)),
});

/** The message as it is found when it died again, of another failure. */
const again = (message: Message, headers: Readonly<Record<string, string>> = {}): Message => {
  const failure = { class: "TypeError", message: "x is not a function", "dlo-category": "poison", ...headers };
  const kept = without(message, Object.keys(failure));
  const told = Object.entries(failure).map(([name, value]) => textHeader(name, value));
  return { ...kept, headers: [...kept.headers, ...told] };
};

/** One letter that was replayed, with what was sent of it. */
async function sendFrom(
  ledger: Ledger,
  body: string = crypto.randomUUID(),
  headers: Readonly<Record<string, string>> = {},
) {
  const world = replayWorld(ledger);
  const [letter] = await holdLetters(ledger, [body], headers);
  if (letter === undefined) throw new Error("no letter was held");
  const replay = await planned(world.parts, [letter]);
  await started(world.parts, replay);
  await run(world.parts, replay);
  const [message] = world.sent;
  if (message === undefined) throw new Error("nothing was sent");
  return { ...world, letter, replay, message, id: showId("letter", letter) };
}

/** The lines of a backup as one wrote them that did not know that table. */
async function backupWithout(ledger: Ledger, table: string): Promise<readonly string[]> {
  const lines: string[] = [];
  let isKept = true;
  await writeBackup(ledger, {
    ...{ bodies: null, withoutBodies: true },
    async write(line) {
      if (line.startsWith('{"kind":"table"')) isKept = (JSON.parse(line) as { table: string }).table !== table;
      if (isKept && !line.startsWith('{"kind":"end"')) lines.push(line);
    },
  });
  return [...lines, JSON.stringify({ kind: "end", lines: lines.length })];
}

onEachDatabase("a message that a replay had sent", (tested) => {
  let ledger: Ledger;
  let session: DrainSession;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
    session = { id: makeId(Date.now(), crypto.randomUUID()), source: "rabbit", queue: "orders.dlq" };
    await beginSession(ledger, session, { actor: tester, leaseMs: 600_000 });
  });

  let ordinal = 0;
  const arrive = async (message: Message, room: Partial<ReadingRoom> = {}): Promise<HoldOutcome> => {
    ordinal += 1;
    const letter = deadLetter({ ...message, properties: message.properties });
    const found = { kind: "delivery", session: session.id, ordinal, redelivered: false } as const;
    const [outcome] = await hold(ledger, [{ letter: { ...letter, message }, found }], {
      session,
      room: { ...testRoom(), ...room },
    });
    return outcome ?? "undecided";
  };

  const sendOne = (body?: string, headers?: Readonly<Record<string, string>>) => sendFrom(ledger, body, headers);

  it("is the same letter with one more attempt when it dies again", async () => {
    const { parts, replay, letter, message, id } = await sendOne();
    const before = await readLetter(ledger, id);
    expect(before.summary).toMatchObject({ state: "resolved", category: "transient", replays: 1 });

    expect(await arrive(again(message))).toBe("returned");

    const after = await readLetter(ledger, id);
    expect(after.summary).toMatchObject({ state: "returned", category: "poison", was: "transient", replays: 1 });
    expect(after.summary).toMatchObject({ errorClass: "TypeError", errorMessage: "x is not a function", attempts: 6 });
    expect(after.classifications.map(({ n, category }) => [n, category])).toEqual([
      [1, "transient"],
      [2, "poison"],
    ]);
    expect(after.attempts.map(({ kind }) => kind)).toEqual(["sent", "presumed", "returned"]);
    expect(after.attempts.at(-1)).toMatchObject({ errorClass: "TypeError", errorMessage: "x is not a function" });
    expect(after.body).toEqual(before.body);
    expect(after.headers).toEqual(before.headers);
    expect(await countsOf(parts, replay)).toMatchObject({ sent: 1, returned: 1, presumed: 0 });
    expect(await letterStates(ledger, [letter])).toEqual(["returned"]);
  });

  describe("ends an acknowledgement", () => {
    it("of the group it comes back to, and none that is made after it came", async () => {
      const { message, id } = await sendOne();
      const call = callsOn(ledger);
      const { group } = await call("letters.get", tester, { id });
      const acknowledged = () => call("groups.acknowledge", tester, { id: group, reason: "we know" });
      expect(await acknowledged()).toMatchObject({ status: "acknowledged", ended: null });
      expect(await arrive(message)).toBe("returned");
      const { attention } = await call("groups.get", tester, { id: group });
      expect(attention).toMatchObject({ status: null, ended: "A letter of it came back after a replay." });
      expect(await acknowledged()).toMatchObject({ status: "acknowledged", ended: null });
    });

    it("of the group it is moved to after it came back", async () => {
      const call = callsOn(ledger);
      const groupOf = async (id: string) => (await call("letters.get", tester, { id })).group;
      const failure = { class: `Own${crypto.randomUUID()}` };
      const [own, other] = [await groupOf((await sendOne(undefined, failure)).id), await groupOf((await sendOne()).id)];
      const parts = { ledger, bodies: null, clock: systemHost.clock };
      const move = () => regroup(parts, { actor: tester, signal: new AbortController().signal });
      await call("groups.acknowledge", tester, { id: own, reason: "we know" });
      const { version } = await call("groups.merge", tester, { id: own, into: other });
      await move();
      // Back at once: what takes long to come back makes replays wait as long, in other tests too.
      const { message, id } = await sendOne(undefined, failure);
      expect(await arrive(message, { grouping: groupingKeeper(ledger, systemHost.clock) })).toBe("returned");
      expect(await groupOf(id)).toBe(other);
      await call("groups.undo", tester, { version });
      await move();
      expect(await groupOf(id)).toBe(own);
      const { attention } = await call("groups.get", tester, { id: own });
      expect(attention).toMatchObject({ status: null, ended: "A letter of it came back after a replay." });
    });

    it("also in a ledger restored from a backup that does not say when letters came back", async () => {
      const { message, id } = await sendOne();
      const call = callsOn(ledger);
      const { group } = await call("letters.get", tester, { id });
      await call("groups.acknowledge", tester, { id: group, reason: "we know" });
      await arrive(message);
      const lines = await backupWithout(ledger, "group_returns");
      const restored = await openLedger({ database: tested.database, schema: "restored" });
      await readBackup(restored, { actor: tester, now: Date.now(), bodies: null, lines: ReadableStream.from(lines) });
      const { attention } = await callsOn(restored)("groups.get", tester, { id: group });
      expect(attention).toMatchObject({ status: null, ended: "A letter of it came back after a replay." });
    });
  });

  it("keeps the headers it came back with, and the stack of its new failure", async () => {
    const { message, id } = await sendOne();
    await arrive(again(message, { stack: "TypeError: x\n    at handle (new.js:1:1)", "x-hops": "7" }));
    const { rows } = await ledger.database.query<{ headers: Uint8Array; stack: string; details: string }>(
      `select a.headers, a.details, (select stack from dlo.stacks s where s.id = a.stack_id limit 1) as stack
       from dlo.attempts a where a.kind = 'returned' order by a.letter_id desc, a.n desc limit 1`,
    );
    expect(Buffer.from(rows[0]?.headers ?? []).toString()).toContain("x-hops");
    expect(rows[0]?.stack).toContain("new.js");
    expect(JSON.parse(rows[0]?.details ?? "{}")).toMatchObject({ drainedFrom: "orders.dlq" });
    expect(id).toMatch(/^ltr_/);
  });

  describe("in its groups", () => {
    it("moves to the group of its new failure, and all counters agree with the letters", async () => {
      const { message, id } = await sendOne();
      const old = (await readLetter(ledger, id)).summary.group;
      const before = await readGroup(ledger, old, Date.now());
      await arrive(again(message, { class: `New${crypto.randomUUID()}` }));
      const { group } = (await readLetter(ledger, id)).summary;
      expect(group).not.toBe(old);
      expect(await readGroup(ledger, group, Date.now())).toMatchObject({ total: 1, open: 1, category: "poison" });
      expect(await readGroup(ledger, old, Date.now())).toMatchObject({ total: before.total, open: before.open });
      const { rows } = await ledger.database.query<{ category: string; state: string; n: string }>(
        "select category, state, count(*) as n from dlo.letters where queue = 'orders' group by 1, 2 order by 1, 2",
      );
      const counted = (await countQueues(ledger)).filter(({ queue }) => queue === "orders");
      expect(counted.map(({ category, state, n }) => ({ category, state, n: String(n) }))).toEqual(rows);
    });

    it("is as old as its last failure in another group, whether it came back there or was placed there later", async () => {
      const { message, id, letter } = await sendOne();
      const failure = { class: `New${id}` };
      const oldest = async (group: string) => (await readGroup(ledger, group, Date.now())).oldestOpenAt;
      const holdAt = (hours: number, position: string, dead: Message) =>
        hold(
          ledger,
          [{ letter: { ...deadLetter(), message: dead }, found: { kind: "position", position: `${position} ${id}` } }],
          { session, room: testRoom(() => Date.now() + hours * 3_600_000) },
        );
      /** Another letter, of a failure like this one's, which comes back an hour before it arrives. Gives its group. */
      const younger = async (text: string) => {
        await holdAt(
          3,
          text,
          again(makeMessage({ body: text, headers: { queue: "orders" } }), { ...failure, message: text }),
        );
        const { rows } = await ledger.database.query<{ group_id: string }>(
          "select group_id from dlo.letters where error_class = $1 and error_message = $2",
          [failure.class, text],
        );
        return showId("group", idOfUuid(rows[0]?.group_id ?? ""));
      };

      const first = await younger("x is undefined");
      expect(await holdAt(2, "back", again(message, { ...failure, message: "x is undefined" }))).toEqual(["returned"]);
      const back = (await readLetter(ledger, id)).summary;
      expect(back.group).toBe(first);
      expect(Date.parse(back.failedAt)).toBeGreaterThan(Date.parse(back.arrivedAt));
      expect(await oldest(first)).toBe(back.failedAt);

      const second = await younger("y is undefined");
      for (const [from, to] of [
        ["returned", "dropped"],
        ["dropped", "open"],
      ])
        await ledger.database.query("select dlo.move_letters(array[$1::uuid], array[$2], $3)", [
          uuidOf(letter),
          from,
          to,
        ]);
      await ledger.database.query(
        `select p.moved from dlo.letters l, lateral dlo.place_letters(
           array[l.id], array[$2::uuid], array[dlo.change_stamp(l.changed_at)], l.grouping_version + 1) p where l.id = $1`,
        [uuidOf(letter), uuidOf(readId("group", second))],
      );
      expect((await readLetter(ledger, id)).summary.group).toBe(second);
      expect(await oldest(second)).toBe(back.failedAt);
    });

    it("is counted in the hour in which it failed last, and no more in that of before", async () => {
      const failure = { class: `Hour${crypto.randomUUID()}`, message: "it took too long" };
      const { message, id } = await sendOne(undefined, failure);
      const hoursOf = async (group: string) => {
        await readGroup(ledger, group, Date.now());
        const { rows } = await ledger.database.query<{ hour: Date; n: number }>(
          "select hour, n::int from dlo.group_hours where group_id = $1 and n <> 0 order by 1",
          [uuidOf(readId("group", group))],
        );
        return rows.map(({ hour, n }) => [hour.toISOString().slice(0, 13), n]);
      };
      const held = (await readLetter(ledger, id)).summary;
      expect(await hoursOf(held.group)).toEqual([[held.failedAt.slice(0, 13), 1]]);
      const room = testRoom(() => Date.now() + 2 * 3_600_000);
      expect(await arrive(again(message, failure), room)).toBe("returned");
      const back = (await readLetter(ledger, id)).summary;
      expect([back.group, back.failedAt > held.failedAt]).toEqual([held.group, true]);
      expect(await hoursOf(held.group)).toEqual([[back.failedAt.slice(0, 13), 1]]);
      expect(await readGroup(ledger, held.group, Date.now())).toMatchObject({
        ...{ total: 1, open: 1, oldestOpenAt: back.failedAt },
        ...{ firstFailedAt: held.failedAt, lastFailedAt: back.failedAt },
      });
      // It comes back once more before anybody decided about it, in another group.
      expect(await arrive(again(message, { ...failure, class: `${failure.class}X` }), room)).toBe("returned");
      const other = (await readLetter(ledger, id)).summary;
      expect(await hoursOf(held.group)).toEqual([]);
      expect(await hoursOf(other.group)).toEqual([[other.failedAt.slice(0, 13), 1]]);
      expect((await readGroup(ledger, held.group, Date.now())).oldestOpenAt).toBeNull();
    });
  });

  it("is one attempt however often its delivery is taken for done and comes again", async () => {
    const { message, id } = await sendOne();
    const position = { kind: "position", position: `p-${id}` } as const;
    const letter = { ...deadLetter(), message: again(message) };
    expect(await hold(ledger, [{ letter, found: position }], { session })).toEqual(["returned"]);
    expect(await hold(ledger, [{ letter, found: position }], { session })).toEqual(["known"]);
    expect((await readLetter(ledger, id)).attempts.filter(({ kind }) => kind === "returned")).toHaveLength(1);
  });

  it("may come back twice in one batch, as two attempts of one letter", async () => {
    const { message, id } = await sendOne();
    const one = {
      letter: { ...deadLetter(), message: again(message) },
      found: { kind: "position", position: `a${id}` },
    } as const;
    const two = { ...one, found: { kind: "position", position: `b${id}` } } as const;
    expect(await hold(ledger, [one, two], { session })).toEqual(["returned", "returned"]);
    const { attempts, classifications } = await readLetter(ledger, id);
    expect(attempts.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
    expect(classifications.map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  it("counts as sent and as returned when it is back before the broker's word that it has it", async () => {
    const { parts } = replayWorld(ledger);
    const [letter] = await holdLetters(ledger, ["quick"]);
    const replay = await planned(parts, [letter as Uint8Array]);
    await started(parts, replay);
    const lead = await leadReplay(ledger, replay, 60_000);
    await intendItems(ledger, lead ?? { replay, epoch: 0, doubtful: 0 }, [1]);
    const id = showId("letter", letter as Uint8Array);
    const mark = { "dlo-letter": id, "dlo-replay": `${showId("replay", replay)}/1`, queue: "orders" };
    expect(await arrive(again(makeMessage({ body: "quick", headers: mark })))).toBe("returned");
    await noteSent(ledger, replay, [1]);
    expect(await countsOf(parts, replay)).toMatchObject({ returned: 1, waiting: 0, sent: 1 });
    const { summary, attempts } = await readLetter(ledger, id);
    expect(summary).toMatchObject({ state: "returned", replays: 1 });
    expect(attempts.map(({ kind }) => kind)).toEqual(["sent", "returned"]);
  });

  it("leaves a letter to the newer replay that has it in hand, and still writes down what came back", async () => {
    const { parts, letter, message, id } = await sendOne();
    await arrive(again(message, { class: "Error", message: "", "dlo-category": "transient" }));
    // What comes back as transient again goes out only after a fix, by a time that no skew of clocks puts in doubt.
    await recordFix(parts, [letter], Date.now() + 3_600_000);
    const second = await planned(parts, [letter]);
    await started(parts, second);
    const lead = await leadReplay(ledger, second, 60_000);
    await intendItems(ledger, lead ?? { replay: second, epoch: 0, doubtful: 0 }, [1]);
    expect(await arrive(again(message))).toBe("returned");
    expect(await letterStates(ledger, [letter])).toEqual(["in_replay"]);
    expect((await readLetter(ledger, id)).attempts.at(-1)?.kind).toBe("returned");
    expect((await itemsOf(parts, second))[0]?.progress).toBe("sending");
  });

  describe("is a new letter", () => {
    it.each([
      ["with another payload", (message: Message) => ({ ...message, body: Buffer.from("other") })],
      ["that died in another queue", (message: Message) => again(message, { queue: "shipping" })],
      [
        "of a replay nobody knows",
        (message: Message) => again(message, { "dlo-replay": "rpl_01JCQ8ZK4M6T8V0X2Z4B6D8F0H/1" }),
      ],
      ["with a mark that is none", (message: Message) => again(message, { "dlo-replay": "nonsense" })],
      [
        "that claims to be another letter",
        (message: Message) => again(message, { "dlo-letter": "ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H" }),
      ],
    ])("%s", async (_name, changed) => {
      const { parts, replay, message } = await sendOne();
      expect(await arrive(changed(again(message)))).toBe("new");
      expect(await countsOf(parts, replay)).toMatchObject({ presumed: 1, returned: 0 });
    });

    it("from a file, whatever it says", async () => {
      const { message, id } = await sendOne();
      const letter = { ...deadLetter(), message: again(message) };
      expect(await hold(ledger, [{ letter, found: { kind: "position", position: `file ${id}` } }])).toEqual(["new"]);
    });
  });

  describe("whose marks somebody dropped", () => {
    const marks = ["dlo-letter", "dlo-replay", "dlo-queue"];

    it("is recognised by its payload and the id its sender gave it, once", async () => {
      const { message, id } = await sendOne(crypto.randomUUID(), { id: `m-${crypto.randomUUID()}` });
      const bare = without(again(message), marks);
      expect(await arrive(bare)).toBe("returned");
      expect(await arrive(bare)).toBe("new");
      expect((await readLetter(ledger, id)).summary.state).toBe("returned");
    });

    it("is a new letter that says what it may be, where only its payload is known", async () => {
      const { message, letter } = await sendOne();
      expect(await arrive(without(again(message), marks))).toBe("new");
      const { rows } = await ledger.database.query<{ maybe: string }>(
        "select maybe_return_of as maybe from dlo.bodies where maybe_return_of is not null order by letter_id desc limit 1",
      );
      expect(rows[0]?.maybe.replaceAll("-", "")).toBe(Buffer.from(letter).toString("hex"));
    });
  });

  it("leaves the audit chain whole, with the sends that came back in it", async () => {
    const { message, replay } = await sendOne();
    await arrive(again(message));
    expect((await verifyAudit(ledger, null)).problem).toBe(null);
    const { rows } = await ledger.database.query<{ entry: Uint8Array }>(
      "select entry from dlo.audit_log order by n desc limit 1",
    );
    expect(JSON.parse(Buffer.from(rows[0]?.entry ?? []).toString())).toMatchObject({
      action: "letters.held",
      returned: [`${showId("replay", replay)}/1`],
    });
  });
});
