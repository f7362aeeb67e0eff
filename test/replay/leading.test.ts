import { beforeAll, expect, it } from "vitest";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { doubtAbandoned } from "../../src/ledger/settle-doubt.ts";
import { pauseReplay } from "../../src/office/replay/steer-replay.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { countsOf, holdLetters, itemsOf, operator, planned, replayWorld, run, started } from "./world.ts";

onEachDatabase("whoever leads a replay", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  it("keeps what it has in its hands after a pause, for as long as its broker does not answer", async () => {
    const broker = new EventTarget();
    const onSend = () => new Promise<void>((resolve) => broker.addEventListener("answers", () => resolve()));
    const { parts } = replayWorld(ledger, { protocol: { ramp: [] }, onSend });
    const replay = await planned(parts, await holdLetters(ledger, ["a", "b"]));
    await started(parts, replay);
    const leaseMs = 2_000;
    const running = run(parts, replay, new AbortController().signal, { leaseMs, beatMs: 20 });
    const progress = async () => (await itemsOf(parts, replay)).map((item) => item.progress);
    await eventually(async () => expect(await progress()).toEqual(["sending", "sending"]));
    await pauseReplay(parts, operator, { replay, reason: "lunch" });
    const pausedAt = Date.now();
    await eventually(() => Date.now() > pausedAt + 2 * leaseMs);
    await doubtAbandoned(ledger, ledger.database, replay);
    expect(await progress()).toEqual(["sending", "sending"]);
    broker.dispatchEvent(new Event("answers"));
    expect(await running).toBe("paused");
    expect(await countsOf(parts, replay)).toMatchObject({ waiting: 2, inDoubt: 0 });
  });
});
