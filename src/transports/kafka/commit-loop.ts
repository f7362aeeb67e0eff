import { type Host, pause } from "../../domain/clock.ts";
import { nextTurn } from "../../system/turn.ts";
import { repeatDelayMs } from "../repeat-delay.ts";
import type { ConnectionWatch } from "./connection-watch.ts";
import type { CommittedOffset } from "./driver.ts";
import type { PartitionWork } from "./partition-work.ts";

export interface CommitLoopParts {
  readonly host: Host;
  readonly watch: ConnectionWatch;
  /** Takes what may be taken into hand now, to be committed as such. True if there may be more at once. */
  readonly prepare: () => boolean;
  /** All partitions that are ours. */
  readonly works: () => Iterable<PartitionWork>;
  readonly commit: (offsets: readonly CommittedOffset[]) => Promise<void>;
  /** The broker knows all that was so when `prepare` was called. */
  readonly committed: () => void;
}

/** What the broker does not know yet of a partition. */
interface Change {
  readonly work: PartitionWork;
  readonly offset: CommittedOffset;
}

/** Commits how far all partitions are, one commit at a time, each with all that has happened since the last. */
export class CommitLoop {
  readonly #parts: CommitLoopParts;
  #isWanted = false;
  #isRunning = false;
  readonly #stopped = new AbortController();
  #waiters: (() => void)[] = [];

  constructor(parts: CommitLoopParts) {
    this.#parts = parts;
  }

  /** Something has changed, or may be taken. */
  request(): void {
    this.#isWanted = true;
    if (!this.#isRunning && !this.#isStopped) void this.#run();
  }

  /** Resolves once all that is so now is committed, or it was stopped. */
  flush(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      this.request();
    });
  }

  stop(): void {
    this.#stopped.abort();
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  get #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  async #run(): Promise<void> {
    const { host, watch } = this.#parts;
    this.#isRunning = true;
    // What finishes in the same turn is committed together.
    await nextTurn();
    for (let tried = 1; this.#isWanted && !this.#isStopped; tried++) {
      try {
        await this.#commitOnce();
        watch.works("commit");
        tried = 0;
      } catch (error) {
        const waitMs = repeatDelayMs(tried, host.random) / 2;
        watch.failed("commit", error, waitMs);
        this.#isWanted = true;
        await pause(host.clock, waitMs, this.#stopped.signal);
      }
    }
    this.#isRunning = false;
  }

  async #commitOnce(): Promise<void> {
    const { prepare, commit, committed } = this.#parts;
    this.#isWanted = prepare();
    const waiters = this.#waiters;
    this.#waiters = [];
    const changes = this.#changes();
    try {
      if (changes.length > 0) await commit(changes.map(({ offset }) => offset));
    } catch (error) {
      this.#waiters = [...waiters, ...this.#waiters];
      throw error;
    }
    for (const { work, offset } of changes) work.committed = offset;
    committed();
    for (const resolve of waiters) resolve();
  }

  #changes(): Change[] {
    const changes: Change[] = [];
    for (const work of this.#parts.works()) {
      const { topic, partition, committed } = work;
      const { offset, metadata } = work.progress.commitment();
      if (offset === committed.offset && metadata === committed.metadata) continue;
      changes.push({ work, offset: { topic, partition, offset, metadata } });
    }
    return changes;
  }
}
