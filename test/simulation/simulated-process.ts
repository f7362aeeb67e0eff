import type { Cancel, Host } from "../../src/domain/clock.ts";
import type { Dice } from "./dice.ts";
import type { Owner, World, WorldEvent } from "./world.ts";

export interface ProcessOptions {
  readonly name: string;
  /** How far its clock is from the true time, in milliseconds. */
  readonly skewMs: number;
}

/** One life of an operating-system process. What it waits for dies with it; what it asked of others may not. */
export class SimulatedProcess implements Owner {
  readonly name: string;
  readonly host: Host;
  readonly #world: World;
  readonly #dice: Dice;
  readonly #held: WorldEvent[] = [];
  readonly #mourners: (() => void)[] = [];
  #state: Owner["state"] = "running";
  #pendingTimers = 0;

  constructor(world: World, { name, skewMs }: ProcessOptions) {
    this.name = name;
    this.#world = world;
    this.#dice = world.dice.fork(name);
    let ids = 0;
    this.host = {
      clock: {
        now: () => world.clock.now() + skewMs,
        after: (delayMs, run) => this.#setTimer(delayMs, run),
      },
      random: this.#dice.roll,
      newId: () => `${name}-${++ids}`,
    };
  }

  get state(): Owner["state"] {
    return this.#state;
  }

  /** Timers it has set and not cancelled, and which have not fired: what keeps a real process from ending. */
  get pendingTimers(): number {
    return this.#pendingTimers;
  }

  /** Calls `run` in this process later: not while it stands still, and never once it is gone. */
  later(delayMs: number, run: () => void): Cancel {
    return this.#world.schedule(this, delayMs, run);
  }

  hold(event: WorldEvent): void {
    this.#held.push(event);
  }

  /** As `kill -9`: nothing of it runs any more. Those who asked to be told are told, once. */
  crash(why: string): void {
    if (this.#state === "gone") return;
    this.#world.trace.note(`${this.name} crashes: ${why}`);
    this.#state = "gone";
    for (const told of this.#mourners) told();
  }

  onCrash(told: () => void): void {
    this.#mourners.push(told);
  }

  /** As SIGSTOP, then SIGCONT: everything that would have reached it meanwhile reaches it afterwards. */
  standStill(forMs: number): void {
    if (this.#state !== "running") return;
    this.#world.trace.note(`${this.name} stands still for ${forMs} ms`);
    this.#state = "still";
    this.#world.schedule(null, forMs, () => this.#goOn());
  }

  #goOn(): void {
    if (this.#state !== "still") return;
    this.#world.trace.note(`${this.name} goes on`);
    this.#state = "running";
    // In the order they were due: a host fires its overdue timers in order.
    const held = this.#held.splice(0).sort((a, b) => a.at - b.at || a.tie - b.tie);
    for (const [index, event] of held.entries()) this.#world.resume(event, index / held.length);
  }

  /** A host's timers are never early and often late. */
  #setTimer(delayMs: number, run: () => void): Cancel {
    let isPending = true;
    const end = () => {
      if (isPending) this.#pendingTimers--;
      isPending = false;
    };
    this.#pendingTimers++;
    const cancel = this.later(delayMs + this.#dice.between(0, 1), () => {
      end();
      run();
    });
    return () => {
      end();
      cancel();
    };
  }
}
