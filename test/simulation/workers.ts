import type { Stage } from "./stage.ts";
import { startWorker, stopWorker, type Worker } from "./worker.ts";

/** Keeps as many workers running as there should be: one that ends is started again, as whatever supervises it would. */
export class Workers {
  readonly #stage: Stage;
  readonly #current = new Map<number, Worker>();
  readonly #lives = new Map<number, number>();
  #isOver = false;

  constructor(stage: Stage) {
    this.#stage = stage;
    for (let place = 1; place <= stage.scenario.workers; place++) this.#start(place);
  }

  running(): readonly Worker[] {
    return [...this.#current.values()].filter(({ process }) => process.state === "running");
  }

  /** Stops one as a deployment does; its successor starts when it has ended. */
  replace(worker: Worker | undefined): void {
    if (worker === undefined) return;
    this.#stage.network.count("stop");
    void stopWorker(this.#stage, worker);
  }

  /** Stops all, and starts none again. */
  async stopAll(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.running().map((worker) => stopWorker(this.#stage, worker)));
  }

  #start(place: number): void {
    const { world } = this.#stage;
    const life = (this.#lives.get(place) ?? 0) + 1;
    this.#lives.set(place, life);
    const worker = startWorker(this.#stage, `worker-${place}.${life}`);
    this.#current.set(place, worker);
    worker.process.onCrash(() => {
      this.#current.delete(place);
      const dice = world.dice.fork(`${worker.process.name}'s end`);
      world.schedule(null, dice.between(100, 3_000), () => {
        if (!this.#isOver) this.#start(place);
      });
    });
  }
}
