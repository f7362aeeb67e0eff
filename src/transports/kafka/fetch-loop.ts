import { type Host, pause } from "../../domain/clock.ts";
import { repeatDelayMs } from "../repeat-delay.ts";
import type { ConnectionWatch } from "./connection-watch.ts";
import type { Fetched, GroupSession, KafkaDriver } from "./driver.ts";
import type { PartitionWork } from "./partition-work.ts";

export interface FetchLoopParts {
  readonly session: GroupSession;
  readonly driver: KafkaDriver;
  readonly host: Host;
  readonly watch: ConnectionWatch;
  /** Partitions to be read at this moment: ours, with room for more. */
  readonly wanted: () => readonly PartitionWork[];
  /** Whether it is still ours. */
  readonly isOurs: (work: PartitionWork) => boolean;
  /** Something was read. */
  readonly received: () => void;
}

/** How long the broker waits for something to come, in milliseconds; a partition that has room again waits as long. */
const maxWaitMs = 250;
const maxPartitionBytes = 1_048_576;

/** Reads ahead, from all partitions that have room. */
export class FetchLoop {
  readonly #parts: FetchLoopParts;
  #isStopped = false;
  #idle: (() => void) | null = null;
  readonly #stopped = new AbortController();

  constructor(parts: FetchLoopParts) {
    this.#parts = parts;
  }

  async run(): Promise<void> {
    const { host, watch } = this.#parts;
    for (let tried = 1; !this.#isStopped; tried++) {
      const works = this.#parts.wanted();
      if (works.length === 0) {
        // Nothing is asked of the broker, so nothing can fail.
        watch.works("fetch");
        await this.#sleep();
        continue;
      }
      try {
        await this.#fetch(works);
        watch.works("fetch");
        tried = 0;
      } catch (error) {
        const waitMs = repeatDelayMs(tried, host.random);
        if (!this.#isStopped) watch.failed("fetch", error, waitMs);
        await pause(host.clock, waitMs, this.#stopped.signal);
      }
    }
  }

  /** There may be something to read again. */
  wake(): void {
    this.#idle?.();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopped.abort();
    this.wake();
  }

  async #fetch(works: readonly PartitionWork[]): Promise<void> {
    const { session, isOurs, received } = this.#parts;
    const positions = works.map(({ topic, partition, progress }) => ({ topic, partition, offset: progress.position }));
    const answers = await session.fetch(positions, { maxWaitMs, maxPartitionBytes });
    const byName = new Map(works.map((work) => [`${work.topic}/${work.partition}`, work]));
    for (const answer of answers) {
      const work = byName.get(`${answer.topic}/${answer.partition}`);
      if (work !== undefined && isOurs(work)) await this.#take(work, answer);
    }
    received();
  }

  async #take(work: PartitionWork, answer: Fetched): Promise<void> {
    if (answer.kind === "records") return work.receive(answer);
    // Retention was quicker than we were, or the topic was made anew.
    work.restart(await this.#parts.driver.edgeOffset(work, "earliest"));
  }

  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle = () => {
        this.#idle = null;
        resolve();
      };
    });
  }
}
