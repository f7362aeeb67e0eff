import type { Cancel, Clock } from "../../domain/clock.ts";
import type { KafkaDriver } from "./driver.ts";
import type { PartitionWork } from "./partition-work.ts";

const everyMs = 60_000;

/**
 * Lets the broker forget what is finished in retry topics. They keep everything, since nothing may be lost that waits
 * long; nobody else reads them, and without this they would grow for ever.
 */
export class Trimmer {
  readonly #driver: KafkaDriver;
  readonly #clock: Clock;
  readonly #works: () => Iterable<PartitionWork>;
  /** What was trimmed last, by partition. */
  readonly #trimmed = new Map<string, number>();
  #cancel: Cancel | null = null;

  constructor(driver: KafkaDriver, clock: Clock, works: () => Iterable<PartitionWork>) {
    this.#driver = driver;
    this.#clock = clock;
    this.#works = works;
  }

  start(): void {
    this.#cancel = this.#clock.after(everyMs, () => {
      this.start();
      // A matter of disk space only: whoever may not delete, or cannot now, loses nothing.
      this.trim().catch(() => {});
    });
  }

  stop(): void {
    this.#cancel?.();
  }

  /** Only what is committed goes: a message is nowhere else until it is finished. */
  async trim(): Promise<void> {
    for (const { topic, partition, waitMs, committed } of this.#works()) {
      const name = `${topic}/${partition}`;
      if (waitMs === null || committed.offset <= (this.#trimmed.get(name) ?? 0)) continue;
      await this.#driver.trim({ topic, partition, offset: committed.offset });
      this.#trimmed.set(name, committed.offset);
    }
  }
}
