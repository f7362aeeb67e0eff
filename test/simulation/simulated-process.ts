import type { Cancel, Host } from "../../src/domain/clock.ts";
import type { Owner, World, WorldEvent } from "./world.ts";

/** One life of an operating-system process. What it waits for dies with it; what it asked of others may not. */
export interface SimulatedProcess extends Owner {
  readonly name: string;
  readonly host: Host;
  /** Calls `run` in this process later: not while it stands still, and never once it is gone. */
  later(delayMs: number, run: () => void): Cancel;
  /** As `kill -9`: nothing of it runs any more. Those who asked to be told are told, once. */
  crash(why: string): void;
  onCrash(told: () => void): void;
  /** As SIGSTOP, then SIGCONT: everything that would have reached it meanwhile reaches it afterwards. */
  standStill(forMs: number): void;
}

export interface ProcessOptions {
  readonly name: string;
  /** How far its clock is from the true time, in milliseconds. */
  readonly skewMs: number;
}

export function startProcess(world: World, { name, skewMs }: ProcessOptions): SimulatedProcess {
  const dice = world.dice.fork(name);
  const held: WorldEvent[] = [];
  const toBeTold: (() => void)[] = [];
  let state: Owner["state"] = "running";
  let ids = 0;

  const self: SimulatedProcess = {
    name,
    get state() {
      return state;
    },
    hold: (event) => held.push(event),
    later: (delayMs, run) => world.schedule(self, delayMs, run),
    host: {
      // A host's timers are never early and often late.
      clock: {
        now: () => world.clock.now() + skewMs,
        after: (delayMs, run) => self.later(delayMs + dice.between(0, 1), run),
      },
      random: dice.roll,
      newId: () => `${name}-${++ids}`,
    },
    crash(why) {
      if (state === "gone") return;
      world.trace.note(`${name} crashes: ${why}`);
      state = "gone";
      for (const tell of toBeTold) tell();
    },
    onCrash: (told) => toBeTold.push(told),
    standStill(forMs) {
      if (state !== "running") return;
      world.trace.note(`${name} stands still for ${forMs} ms`);
      state = "still";
      world.schedule(null, forMs, () => {
        if (state !== "still") return;
        world.trace.note(`${name} goes on`);
        state = "running";
        resumeAll(world, held.splice(0));
      });
    },
  };
  return self;
}

/** In the order they were due: a host fires its overdue timers in order. */
function resumeAll(world: World, held: readonly WorldEvent[]): void {
  const inOrder = [...held].sort((a, b) => a.at - b.at || a.tie - b.tie);
  for (const [index, event] of inOrder.entries()) world.resume(event, index / (inOrder.length + 1));
}
