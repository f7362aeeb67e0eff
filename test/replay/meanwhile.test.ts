import { beforeAll, expect, it } from "vitest";
import { makeId, showId } from "../../src/domain/ids.ts";
import { type Message, makeMessage } from "../../src/domain/message.ts";
import { beginSession } from "../../src/ledger/drain-session.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { deadLetter, hold, tester } from "../ledger/letters.ts";
import { overheard, readBy } from "../ledger/rows-read.ts";
import { callsOn } from "../policy/office.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { countsOf, holdLetters, planned, replayWorld, run, started } from "./world.ts";

onEachDatabase("what comes into the groups of a replay while it runs", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  /** They die at this moment. */
  async function die(bodies: readonly string[], headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const failed = { queue: "orders", class: "Error", "dlo-category": "transient", ...headers };
    await dieAs(bodies.map((body) => makeMessage({ body, headers: failed })));
  }

  /** Drained, since what comes from elsewhere is nobody's return. */
  async function dieAs(messages: readonly Message[]): Promise<void> {
    const session = { id: makeId(Date.now(), crypto.randomUUID()), source: "rabbit", queue: "orders.dlq" };
    await beginSession(ledger, session, { actor: tester, leaseMs: 60_000 });
    const holdings = messages.map((message, ordinal) => ({
      letter: { ...deadLetter(), message },
      found: { kind: "delivery", session: session.id, ordinal, redelivered: false } as const,
    }));
    await hold(ledger, holdings, { session });
  }

  it("is told apart from what it sent itself, and found by one search", async () => {
    const { parts, sent } = replayWorld(ledger, { protocol: { ramp: [] } });
    const letters = await holdLetters(ledger, ["a", "b"]);
    await die(["before"]);
    const replay = await planned(parts, letters);
    const call = callsOn(ledger, parts);
    const id = showId("replay", replay);
    const arrivals = async () => (await call("replays.get", tester, { id })).arrivals;
    expect(await arrivals()).toBeNull();

    await started(parts, replay);
    expect(await arrivals()).toEqual({ n: 0, isAtLeast: false, q: `meanwhile:${id}` });
    expect(await run(parts, replay)).toBe("finished");
    await dieAs(sent.slice(0, 1));
    expect(await countsOf(parts, replay)).toMatchObject({ returned: 1 });
    // After its end: no arrivals of a replay that is over.
    await die(["late"]);
    expect(await arrivals()).toMatchObject({ n: 0 });

    await tested.database.query(`update ${ledger.at}.replays set state = 'running', ended_at = null`);
    await die(["new", "newer"]);
    await die(["elsewhere"], { class: "TypeError" });
    await die(["other queue"], { queue: "mails" });
    expect(await arrivals()).toMatchObject({ n: 3 });
    const { items } = await call("letters.list", tester, { q: `meanwhile:${id}` });
    expect(items).toHaveLength(3);
    expect((await call("letters.count", tester, { q: `meanwhile:${id} is:returned` })).n).toBe(0);

    // As of one that ended before groups were noted: nobody knows what came.
    await tested.database.query(`delete from ${ledger.at}.replay_groups`);
    expect(await arrivals()).toBeNull();
  });

  it("is counted without going through the letters that were there before", async () => {
    const { parts } = replayWorld(ledger, { protocol: { ramp: [], rate: 100_000 } });
    const many = Array.from({ length: 600 }, (_, n) => `many ${n}`);
    const replay = await planned(parts, await holdLetters(ledger, many, { queue: "many" }));
    await started(parts, replay);
    await die(["m1", "m2"], { queue: "many" });
    for (const table of ["letters", "replays", "replay_groups"])
      await tested.database.query(`analyze ${ledger.at}.${table}`);
    const { database, heard } = overheard(tested.database);
    const call = callsOn(ledger, { ...parts, ledger: { ...ledger, database } });
    const { arrivals } = await call("replays.get", tester, { id: showId("replay", replay) });
    expect(arrivals).toMatchObject({ n: 2 });
    const counted = heard.filter(({ text }) => text.includes("replay_groups"));
    const reads = await Promise.all(counted.map((statement) => readBy(tested.database, statement)));
    expect(reads.map(({ rows }) => rows < 50)).toEqual([true]);
  });
});
