import { pause } from "../../src/domain/clock.ts";
import { systemClock } from "../../src/system/host.ts";
import type { Dice } from "../simulation/dice.ts";
import type { ConsumerProcess, Ending } from "./consumer-process.ts";

export interface KillLoopParts {
  readonly dice: Dice;
  /** Processes at a time. */
  readonly consumers: number;
  /** How many of them are killed in all, one after the other. */
  readonly kills: number;
  /** How many of those are first brought to a stand, for longer than the lease, and let go again. */
  readonly stops: number;
  readonly leaseMs: number;
  readonly start: () => ConsumerProcess;
}

/** What the kills met. */
export interface KillTally {
  readonly killed: number;
  readonly stopped: number;
  /** Handlers that were running when their process was killed. */
  readonly handlersCut: number;
  /** Those of them that ran alone, charged, because their message had come back before. */
  readonly suspectsCut: number;
}

/** The longest a process works before it is killed, in milliseconds. */
const longestLifeMs = 900;
/** How long a consumer may take to stop, in milliseconds: longer than it waits for its handlers. */
const stopWithinMs = 60_000;
/** How much longer than its lease a stopped process stands. */
const stopShare = 1.5;

/** Keeps a number of consumers at work, and kills them one after the other at random moments. */
export class KillLoop {
  /** Ends that nobody asked for: none of the orders makes a process end. */
  readonly ownEnds: Ending[] = [];
  readonly #parts: KillLoopParts;
  readonly #alive = new Set<ConsumerProcess>();
  #tally: KillTally = { killed: 0, stopped: 0, handlersCut: 0, suspectsCut: 0 };
  #over = false;

  constructor(parts: KillLoopParts) {
    this.#parts = parts;
  }

  get tally(): KillTally {
    return this.#tally;
  }

  /** Resolves when all kills are done; the consumers then alive go on. */
  async run(): Promise<void> {
    const { consumers, dice } = this.#parts;
    const places = Array.from({ length: consumers }, (_, place) => this.#fill(dice.fork(`place ${place}`)));
    await Promise.all(places);
  }

  /** Stops those still alive, and resolves when they have stopped. */
  async stop(): Promise<void> {
    await Promise.all([...this.#alive].map((consumer) => this.#stop(consumer)));
  }

  /** Ends everything at once. */
  async abandon(): Promise<void> {
    this.#over = true;
    await Promise.all([...this.#alive].map((consumer) => consumer.kill()));
  }

  async #fill(dice: Dice): Promise<void> {
    while (!this.#over) {
      const consumer = this.#start();
      if (this.#isDone()) return;
      await consumer.busy;
      await pause(systemClock, dice.between(0, longestLifeMs));
      if (consumer.hasEnded) continue;
      if (this.#isDone()) return;
      await this.#strike(consumer, dice);
    }
  }

  #start(): ConsumerProcess {
    const consumer = this.#parts.start();
    this.#alive.add(consumer);
    void consumer.ended.then((ending) => {
      if (this.#alive.delete(consumer)) this.ownEnds.push(ending);
    });
    return consumer;
  }

  #isDone(): boolean {
    return this.#over || this.#tally.killed >= this.#parts.kills;
  }

  async #strike(consumer: ConsumerProcess, dice: Dice): Promise<void> {
    const { kills, stops, leaseMs } = this.#parts;
    const number = this.#tally.killed;
    this.#tally = { ...this.#tally, killed: number + 1 };
    if (Math.floor(((number + 1) * stops) / kills) > Math.floor((number * stops) / kills)) {
      this.#tally = { ...this.#tally, stopped: this.#tally.stopped + 1 };
      consumer.signal("SIGSTOP");
      await pause(systemClock, leaseMs * stopShare);
      consumer.signal("SIGCONT");
      await pause(systemClock, dice.between(0, longestLifeMs));
    }
    this.#alive.delete(consumer);
    await consumer.kill();
    this.#count(consumer);
  }

  #count({ notes }: ConsumerProcess): void {
    const running = new Map<string | null, boolean>();
    for (const { type, id, suspect } of notes) {
      if (type === "attempt-started") running.set(id, suspect);
      if (type === "attempt-succeeded" || type === "attempt-failed") running.delete(id);
    }
    const { handlersCut, suspectsCut } = this.#tally;
    this.#tally = {
      ...this.#tally,
      handlersCut: handlersCut + running.size,
      suspectsCut: suspectsCut + [...running.values()].filter(Boolean).length,
    };
  }

  async #stop(consumer: ConsumerProcess): Promise<void> {
    this.#alive.delete(consumer);
    const inTime = systemClock.after(stopWithinMs, () => consumer.signal("SIGKILL"));
    const ending = await consumer.stop();
    inTime();
    if (ending.code !== 0) this.ownEnds.push(ending);
  }
}
