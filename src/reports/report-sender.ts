import { type Clock, pause } from "../domain/clock.ts";
import type { Report } from "../domain/report.ts";

export interface ReportSenderParts {
  readonly clock: Clock;
  readonly maxWaiting: number;
  send(report: Report): Promise<void>;
}

/** How long to wait after a report could not be sent, in milliseconds. */
const retryAfterMs = 1_000;

/**
 * Sends reports one after the other, in order, and again until the broker has them. They are evidence, not messages:
 * while the broker is away they wait in memory, the oldest go when there are too many, and a crash loses them.
 */
export class ReportSender {
  readonly #parts: ReportSenderParts;
  readonly #waiting: Report[] = [];
  readonly #stopped = new AbortController();
  #sending: Promise<void> | undefined = undefined;
  #dropped = 0;

  constructor(parts: ReportSenderParts) {
    this.#parts = parts;
  }

  get dropped(): number {
    return this.#dropped;
  }

  add(report: Report): void {
    if (this.#stopped.signal.aborted) return;
    // What is so by now replaces what was so before and still waits to be said. The first may be on its way.
    const stale =
      report.kind === "outcome" || report.kind === "probe"
        ? -1
        : this.#waiting.findLastIndex((waiting) => replaces(report, waiting));
    if (stale > 0) this.#waiting.splice(stale, 1);
    this.#waiting.push(report);
    if (this.#waiting.length > this.#parts.maxWaiting) this.#dropOldest();
    this.#sending ??= this.#sendAll();
  }

  /** Resolves when nothing waits any more. */
  async flush(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending;
  }

  close(): void {
    this.#dropped += this.#waiting.length;
    this.#waiting.length = 0;
    this.#stopped.abort();
  }

  async #sendAll(): Promise<void> {
    for (let report = this.#waiting[0]; report !== undefined; report = this.#waiting[0]) {
      try {
        await this.#parts.send(report);
        // Dropped or replaced meanwhile, another one stands there.
        if (this.#waiting[0] === report) this.#waiting.shift();
      } catch {
        await pause(this.#parts.clock, retryAfterMs, this.#stopped.signal);
      }
    }
    this.#sending = undefined;
  }

  #dropOldest(): void {
    this.#waiting.shift();
    this.#dropped += 1;
  }
}

function replaces(report: Report, waiting: Report): boolean {
  if (report.instance !== waiting.instance) return false;
  if (report.kind === "breaker") {
    return waiting.kind === "breaker" && report.queue === waiting.queue && report.name === waiting.name;
  }
  if (report.kind !== "heartbeat" || waiting.kind !== "heartbeat") return false;
  return report.queues[0]?.queue === waiting.queues[0]?.queue;
}
