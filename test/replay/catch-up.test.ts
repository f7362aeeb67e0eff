import { beforeAll, expect, it, onTestFinished } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { type DrainParts, drain } from "../../src/office/intake/drain.ts";
import { type CatchUpParts, catchUp } from "../../src/office/intake/own-drain.ts";
import { pauseReplay } from "../../src/office/replay/steer-replay.ts";
import { systemHost } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { memoryTransport } from "../../src/transports/memory.ts";
import { testRoom } from "../ledger/letters.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { countsOf, holdLetters, operator, planned, replayWorld, run, started } from "./world.ts";

onEachDatabase("looking whether anything died since", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  const { clock } = systemHost;
  const never = () => new AbortController().signal;

  /** A dead-letter queue of its own, to which a letter comes every so often. */
  function deadLetters(everyMs: number | null) {
    const transport = memoryTransport();
    const queue = `orders-${crypto.randomUUID()}.dlq`;
    const send = () => void transport.send({ name: queue }, makeMessage({ body: "x" }));
    const timer = everyMs === null ? undefined : setInterval(send, everyMs);
    onTestFinished(async () => {
      clearInterval(timer);
      await transport.close();
    });
    send();
    const parts = { ledger, transport, from: { name: queue }, room: testRoom(), host: systemHost };
    return { source: "memory", queue, drain: drainOf(parts) };
  }

  function drainOf(parts: Omit<DrainParts, "source" | "actor" | "signal">): CatchUpParts["drain"] {
    return ({ tuning, ...request }) => drain({ ...request, ...parts }, tuning);
  }

  it("ends when the dead-letter queue has fallen silent", async () => {
    const { drain: drained, ...queue } = deadLetters(null);
    expect(await catchUp({ drain: drained, clock }, { ...queue, signal: never() })).toBe(true);
  });

  it("ends in time, and knows nothing, where letters keep coming", async () => {
    const { drain: drained, ...queue } = deadLetters(100);
    expect(await catchUp({ drain: drained, clock, withinMs: 3_000 }, { ...queue, signal: never() })).toBe(false);
  });

  it("ends at once when nobody wants to know any more", async () => {
    const { drain: drained, ...queue } = deadLetters(100);
    const stop = new AbortController();
    const looking = catchUp({ drain: drained, clock }, { ...queue, signal: stop.signal });
    stop.abort();
    expect(await looking).toBe(false);
  });

  it("keeps no replay from being paused, and settles nothing that nobody has looked at", async () => {
    const { parts } = replayWorld(ledger, { protocol: { ramp: [], settleS: 0 } });
    let isLooking = false;
    const watch = async () => async (signal?: AbortSignal) => {
      isLooking = true;
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      return false;
    };
    const replay = await planned(parts, await holdLetters(ledger, ["a", "b"]));
    await started(parts, replay);
    const running = run({ ...parts, watch }, replay);
    await eventually(() => expect(isLooking).toBe(true));
    await pauseReplay(parts, operator, { replay, reason: "let me see" });
    expect(await running).toBe("paused");
    expect(await countsOf(parts, replay)).toMatchObject({ waiting: 2, unknown: 0 });
  });
});
