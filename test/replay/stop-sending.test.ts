import { expect, it } from "vitest";
import { openLedger } from "../../src/ledger/ledger.ts";
import { ask } from "../../src/office/replay/approve-replay.ts";
import { resume, start } from "../../src/office/replay/steer-replay.ts";
import { releaseSending, stopSending } from "../../src/office/replay/stop-sending.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { holdLetters, operator, planned, replayWorld, started, stateOf } from "./world.ts";

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
});
