import { type Accounts, takeAccounts } from "./accounts.ts";
import { Director } from "./director.ts";
import { Narrator } from "./narrator.ts";
import { recordOf, type StoryRecord } from "./record.ts";
import type { ActNow, Scene } from "./scene.ts";
import { sceneOf } from "./scene-of.ts";
import { acts } from "./script.ts";
import type { Line } from "./sentences.ts";
import { createWorld, type World, worldSettings } from "./world.ts";

/** Who wants to be told while the story goes on. Times are milliseconds since it began. */
export interface StoryListener {
  /** An act begins. */
  act?(act: ActNow, atMs: number): void;
  /** Something worth a line happened, in words. */
  line?(line: Line): void;
  /** Anything at all happened, as the runtime reports it. */
  record?(record: StoryRecord): void;
}

/** Closing the consumer takes no longer than its slowest handler; looked at in steps of so much. */
const closingStepMs = 50;

/**
 * The real runtime, in a scripted world. Time passes only as `advance` says, and the same seed tells the same story, so
 * it can be watched at any speed and tested in no time.
 */
export class Story {
  readonly #world: World;
  readonly #startedAt: number;
  readonly #director: Director;
  readonly #narrator: Narrator;

  constructor(seed: number, listener: StoryListener = {}) {
    const world = createWorld(seed);
    const { clock, consumer, broker } = world;
    const startedAt = clock.now();
    const depth = () => broker.depth(worldSettings.queue);
    this.#world = world;
    this.#startedAt = startedAt;
    this.#narrator = new Narrator(world, (line) => listener.line?.(line));
    this.#director = new Director({
      acts,
      clock,
      stage: { ...world, depth },
      announce: (act) => listener.act?.(act, clock.now() - startedAt),
    });
    consumer.observe(this.#narrator);
    consumer.observe({ event: (event) => listener.record?.(recordOf(event, event.at - startedAt)) });
    this.#director.begin();
    void consumer.start();
  }

  /** Every act has been played. */
  get isOver(): boolean {
    return this.#director.isOver;
  }

  get atMs(): number {
    return this.#world.clock.now() - this.#startedAt;
  }

  /** Lets time pass. */
  advance(ms: number): Promise<void> {
    return this.#world.clock.advance(ms);
  }

  scene(): Scene {
    const { act } = this.#director;
    return sceneOf({ world: this.#world, startedAt: this.#startedAt, act, lines: this.#narrator.lines });
  }

  /** Stops everything gracefully, wherever the story is, and counts. */
  async end(): Promise<Ending> {
    const { checkout, consumer, breaker, clock, chronicle } = this.#world;
    this.#director.stop();
    checkout.close();
    let stopped = false;
    const stopping = consumer.stop().then(() => {
      stopped = true;
    });
    while (!stopped) await clock.advance(closingStepMs);
    await Promise.all([stopping, breaker.close()]);
    const { retries, recovered } = chronicle;
    return { ...this.#accounts(), retries, recovered, tookMs: this.atMs };
  }

  #accounts(): Accounts {
    const { broker, checkout, payments } = this.#world;
    return takeAccounts({ broker, queue: worldSettings.queue, sent: checkout.sent, charges: payments.books });
  }
}

export interface Ending extends Accounts {
  readonly retries: number;
  /** Orders charged after at least one failure. */
  readonly recovered: number;
  readonly tookMs: number;
}
