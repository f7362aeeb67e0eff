import { type Host, pause } from "../../domain/clock.ts";
import { repeatDelayMs } from "../repeat-delay.ts";
import type { Incident } from "../transport.ts";

/** Whether there is contact with the broker: tells of its loss and return once each, and how long to wait in between. */
export class Contact {
  readonly #host: Host;
  readonly #report: (incident: Incident) => void;
  #failedTries = 0;
  #retryInMs = 0;

  constructor(host: Host, report: (incident: Incident) => void) {
    this.#host = host;
    this.#report = report;
  }

  lost(error: unknown): void {
    this.#failedTries += 1;
    this.#retryInMs = repeatDelayMs(this.#failedTries, this.#host.random);
    if (this.#failedTries > 1) return;
    this.#report({ kind: "connection-lost", error, retryInMs: this.#retryInMs });
  }

  made(): void {
    if (this.#failedTries > 0) this.#report({ kind: "connection-restored" });
    this.#failedTries = 0;
    this.#retryInMs = 0;
  }

  /** Resolves when it is time to try, or when `signal` aborts. */
  timeToTry(signal: AbortSignal): Promise<void> {
    return this.#retryInMs === 0 ? Promise.resolve() : pause(this.#host.clock, this.#retryInMs, signal);
  }
}
