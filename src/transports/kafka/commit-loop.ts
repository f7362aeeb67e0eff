import { type Host, pause } from "../../domain/clock.ts";
import { repeatDelayMs } from "../repeat-delay.ts";
import type { ConnectionWatch } from "./connection-watch.ts";
import type { CommittedOffset } from "./driver.ts";
import type { PartitionWork } from "./partition-work.ts";

export interface CommitLoopParts {
  readonly host: Host;
  readonly watch: ConnectionWatch;
  /** Takes what may be taken into hand now, to be committed as such. */
  readonly prepare: () => void;
  /** All partitions that are ours. */
  readonly works: () => Iterable<PartitionWork>;
  readonly commit: (offsets: readonly CommittedOffset[]) => Promise<void>;
  /** The broker knows all that was so when `prepare` was called. */
  readonly committed: () => void;
}

/** Commits how far all partitions are, one commit at a time, each with all that has happened since the last. */
export class CommitLoop {
  readonly #parts: CommitLoopParts;
  #isWanted = false;
  #isRunning = false;
  #isStopped = false;
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
    this.#isStopped = true;
    this.#stopped.abort();
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  async #run(): Promise<void> {
    const { host, watch } = this.#parts;
    this.#isRunning = true;
    // What finishes in the same moment is committed together.
    await Promise.resolve();
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
    const { prepare, works, commit, committed } = this.#parts;
    this.#isWanted = false;
    prepare();
    const waiters = this.#waiters;
    this.#waiters = [];
    const changed: { readonly work: PartitionWork; readonly next: { offset: number; metadata: string } }[] = [];
    for (const work of works()) {
      const next = work.progress.commitment();
      if (next.offset !== work.committed.offset || next.metadata !== work.committed.metadata) {
        changed.push({ work, next });
      }
    }
    try {
      const offsets = changed.map(({ work: { topic, partition }, next }) => ({ topic, partition, ...next }));
      if (offsets.length > 0) await commit(offsets);
    } catch (error) {
      this.#waiters = [...waiters, ...this.#waiters];
      throw error;
    }
    for (const { work, next } of changed) work.committed = next;
    committed();
    for (const resolve of waiters) resolve();
  }
}
