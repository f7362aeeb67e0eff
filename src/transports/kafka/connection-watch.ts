import { isOfficeError } from "../../domain/errors.ts";
import type { Incident } from "../transport.ts";
import { isFault } from "./driver.ts";

/** Faults that pass by themselves within a moment, as when a coordinator moves, are not worth a report. */
const faultsBeforeReport = 5;
/** Consumers come and go: the broker is there, and says so. */
const rebalancing = ["REBALANCE_IN_PROGRESS", "ILLEGAL_GENERATION", "UNKNOWN_MEMBER_ID"];

/** Whether the broker can be reached, as the parts of a consumer find out: its loss and return are reported once each. */
export class ConnectionWatch {
  readonly #report: (incident: Incident) => void;
  readonly #failing = new Map<string, number>();
  #isLost = false;

  constructor(report: (incident: Incident) => void) {
    this.#report = report;
  }

  failed(part: string, error: unknown, retryInMs: number): void {
    const failures = (this.#failing.get(part) ?? 0) + 1;
    if (isFault(error, ...rebalancing)) this.works(part);
    else this.#failing.set(part, failures);
    const isWorthIt = isOfficeError(error, "TRANSPORT_UNAVAILABLE") || failures >= faultsBeforeReport;
    if (this.#isLost || !isWorthIt || !this.#failing.has(part)) return;
    this.#isLost = true;
    this.#report({ kind: "connection-lost", error, retryInMs });
  }

  works(part: string): void {
    this.#failing.delete(part);
    if (!this.#isLost || this.#failing.size > 0) return;
    this.#isLost = false;
    this.#report({ kind: "connection-restored" });
  }
}
