import { expect, it } from "vitest";
import { giveUpLead, intendAgain, intendItems, leadReplay, noteDoubt } from "../../src/ledger/lead-replay.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { noteStop } from "../../src/ledger/stopped-sending.ts";
import { ask } from "../../src/office/replay/approve-replay.ts";
import { resume, start } from "../../src/office/replay/steer-replay.ts";
import { releaseSending, stopSending } from "../../src/office/replay/stop-sending.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { bodiesOf, holdLetters, operator, planned, replayWorld, run, started, stateOf } from "./world.ts";

onEachDatabase("stopping all sending", (used) => {
  it("pauses what runs, and lets nothing start or go on until somebody releases it", async () => {
    const ledger = await openLedger({ database: used.database });
    const { parts } = replayWorld(ledger);
    const running = await planned(parts, await holdLetters(ledger, ["a", "b"]));
    await started(parts, running);
    const waiting = await planned(parts, await holdLetters(ledger, ["c"], { class: "Other" }));
    await ask(parts, operator, { replay: waiting, reason: "why not" });

    expect(await stopSending(parts, operator, "charged twice")).toHaveLength(1);
    expect(await stateOf(parts, running)).toBe("paused");
    const stopped = { code: "SENDING_STOPPED", message: expect.stringContaining("charged twice") as string };
    await expect(start(parts, operator, { replay: waiting, expectCount: 1 })).rejects.toMatchObject(stopped);
    await expect(resume(parts, operator, { replay: running, reason: "go on" })).rejects.toMatchObject(stopped);

    await releaseSending(parts, operator, "it was a test card");
    await resume(parts, operator, { replay: running, reason: "go on" });
    expect(await stateOf(parts, running)).toBe("running");
    await expect(releaseSending(parts, operator, "again")).rejects.toMatchObject({ code: "REPLAY_NOT_READY" });
  });

  it("lets none slip past that is started in the same moment", async () => {
    const ledger = await openLedger({ database: used.database });
    const { parts } = replayWorld(ledger);
    for (let round = 0; round < 10; round++) {
      const replay = await planned(parts, await holdLetters(ledger, [`slip ${round}`]));
      await ask(parts, operator, { replay, reason: "why not" });
      await Promise.allSettled([
        start(parts, operator, { replay, expectCount: 1 }),
        stopSending(parts, operator, "in the same moment"),
      ]);
      expect(["approved", "paused"]).toContain(await stateOf(parts, replay));
      await releaseSending(parts, operator, "next round");
    }
  });

  it("holds for what it did not come to pause: nothing more is sent, and the replay pauses itself", async () => {
    const ledger = await openLedger({ database: used.database });
    const { parts, sent } = replayWorld(ledger);
    const replay = await planned(parts, await holdLetters(ledger, ["d", "e"]));
    await started(parts, replay);
    const lead = await leadReplay(ledger, replay, 60_000);
    if (lead === null) throw new Error("Nobody else could have led it.");
    await intendItems(ledger, lead, [1]);
    await noteDoubt(ledger, lead, [1]);
    await noteStop(ledger, ledger.database, { by: operator.id, reason: "killed right after it said so" });
    expect((await intendItems(ledger, lead, [2])).items).toEqual(new Set());
    expect((await intendAgain(ledger, lead, [1])).items).toEqual(new Set());
    await giveUpLead(ledger, lead);
    expect(await run(parts, replay)).toBe("paused");
    expect(await stateOf(parts, replay)).toBe("paused");
    expect(sent).toEqual([]);

    await releaseSending(parts, operator, "all is well");
    await resume(parts, operator, { replay, reason: "go on" });
    expect(await run(parts, replay)).toBe("finished");
    expect(bodiesOf(sent)).toEqual(["e"]);
  });

  it("pauses the others when one cannot be paused, and says so", async () => {
    const ledger = await openLedger({ database: used.database });
    const { parts } = replayWorld(ledger);
    const replays: Uint8Array[] = [];
    for (const body of ["f", "g", "h"]) {
      const replay = await planned(parts, await holdLetters(ledger, [body]));
      await started(parts, replay);
      replays.push(replay);
    }
    let asked = 0;
    const { clock } = parts.host;
    const now = () => {
      asked += 1;
      // The first is asked for the stop itself, the second for the newest of them.
      if (asked === 2) throw new Error("connection lost");
      return clock.now();
    };
    const failing = { ...parts, host: { ...parts.host, clock: { ...clock, now } } };
    await expect(stopSending(failing, operator, "charged twice")).rejects.toThrow("connection lost");
    expect(await Promise.all(replays.map((each) => stateOf(parts, each)))).toEqual(["paused", "paused", "running"]);
    await releaseSending(parts, operator, "all is well");
  });
});
