import { systemClock } from "../../src/system/host.ts";
import { seededDice } from "./dice.ts";
import { startTrace } from "./trace.ts";
import type { World, WorldEvent } from "./world.ts";

/** The same world by the host's own clock: for holding the fakes to contracts that are written for real things. */
export function realTimeWorld(): World {
  const start = (event: WorldEvent, delayMs: number) =>
    systemClock.after(delayMs, () => {
      if (event.owner?.state === "gone") return;
      if (event.owner?.state === "still") event.owner.hold(event);
      else event.run?.();
    });
  return {
    dice: seededDice("real time"),
    trace: startTrace(() => 0, 0),
    clock: systemClock,
    schedule: (owner, delayMs, run) => start({ at: systemClock.now() + delayMs, tie: 0, owner, run }, delayMs),
    resume: (event) => void start(event, 0),
    runUntil: () => Promise.reject(new Error("Real time runs by itself.")),
    steps: 0,
  };
}
