import { beforeAll, expect, it } from "vitest";
import { intendItems, leadReplay } from "../../src/ledger/lead-replay.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { readReplay } from "../../src/ledger/read-replay.ts";
import { noteAbsent } from "../../src/ledger/settle-doubt.ts";
import { resume } from "../../src/office/replay/steer-replay.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { bodiesOf, countsOf, holdLetters, lapse, operator, planned, replayWorld, run, started } from "./world.ts";

onEachDatabase("the wait for outcomes", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  it("begins anew, with a new look at the queue, for what is sent after it began", async () => {
    const { parts, sent } = replayWorld(ledger, { protocol: { ramp: [], settleS: 3_600 } });
    const replay = await planned(parts, await holdLetters(ledger, ["a", "b"]));
    await started(parts, replay);
    const dead = await leadReplay(ledger, replay, 60_000);
    if (dead === null) throw new Error("Nobody else could have led it.");
    const intent = await intendItems(ledger, dead, [1]);
    const watchedAfter: number[] = [];
    const watch = async () => {
      watchedAfter.push(sent.length);
      return async () => true;
    };
    const stop = new AbortController();
    const settlesAt = async () => (await readReplay(ledger, ledger.database, { id: replay })).settlesAt;
    await lapse(ledger, replay);
    const running = run({ ...parts, watch }, replay, stop.signal);
    await eventually(async () => expect(await settlesAt()).not.toBeNull());
    const first = (await settlesAt()) ?? 0;
    await noteAbsent(ledger, ledger.database, { replay, absent: [{ n: 1, intent: intent.number }] });
    await eventually(async () => {
      expect(bodiesOf(sent)).toEqual(["b", "a"]);
      expect(await settlesAt()).toBeGreaterThan(first);
    });
    expect(await countsOf(parts, replay)).toMatchObject({ waiting: 2, presumed: 0 });
    stop.abort();
    expect(await running).toBe("stopped");
    expect(watchedAfter).toEqual([1, 2]);
  });

  it("is no reason to go on for those letters of a step whose own protocol says to pause", async () => {
    const { parts, sent } = replayWorld(ledger, { wasConsumed: false, protocol: { ramp: [2], batch: 2 } });
    const lenient = async () => {
      const policy = await parts.policy();
      const protocolFor: typeof policy.protocolFor = (facts, ...rest) => ({
        ...policy.protocolFor(facts, ...rest),
        onUnknown: facts.size === 1 ? "continue" : "pause",
      });
      return { ...policy, protocolFor };
    };
    const office = { ...parts, policy: lenient };
    const replay = await planned(office, await holdLetters(ledger, ["a", "b", "c", "d", "strict", "stern"]));
    await started(office, replay);
    expect(await run(office, replay)).toBe("paused");
    expect(bodiesOf(sent).toSorted()).toEqual(["a", "b", "c", "d"]);
    await resume(office, operator, { replay, reason: "looked at them by hand" });
    expect(await run(office, replay)).toBe("finished");
    expect(sent).toHaveLength(6);
  });
});
