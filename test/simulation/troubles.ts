import type { Service } from "./network.ts";
import type { Stage } from "./stage.ts";
import type { Worker } from "./worker.ts";
import type { Workers } from "./workers.ts";

/** Lets the planned faults happen, each at its time to whomever chance picks, and then no more. */
export function scheduleTroubles(stage: Stage, workers: Workers): void {
  const { world, network, scenario } = stage;
  const { crashes, stops, standStills, cuts, outages, untilMs } = scenario.faults;
  const dice = world.dice.fork("troubles");
  const happen = (atMs: number, befall: (victim: Worker) => void) =>
    world.schedule(null, atMs, () => {
      const running = workers.running();
      if (!network.isCalm && running.length > 0) befall(dice.pick(running));
    });

  for (const atMs of crashes) {
    happen(atMs, ({ process }) => {
      network.count("crash");
      process.crash("bad luck");
    });
  }
  for (const atMs of stops) happen(atMs, (worker) => workers.replace(worker));
  for (const { atMs, forMs } of standStills) {
    happen(atMs, ({ process }) => {
      network.count("stand-still");
      process.standStill(Math.min(forMs, untilMs - atMs));
    });
  }
  for (const { atMs, service } of cuts) happen(atMs, ({ process }) => network.cut(service, process));
  for (const { atMs, what, forMs } of outages) {
    happen(atMs, () => (isService(what) ? network.takeDown(what, forMs) : network.count("outage")));
  }
  world.schedule(null, untilMs, () => {
    world.trace.note("faults stop");
    network.calmDown();
  });
}

function isService(what: string): what is Service {
  return what === "broker" || what === "inbox" || what === "state" || what === "keys";
}
