import { type Host, pause } from "../../domain/clock.ts";
import { isOfficeError } from "../../domain/errors.ts";
import { type Address, type Delivery, done, type Verdict } from "../../domain/message.ts";
import { readReport } from "../../domain/read-report.ts";
import type { Report } from "../../domain/report.ts";
import { queueNames } from "../../domain/wire.ts";
import type { Incident, Transport } from "../../transports/transport.ts";

export interface ReportsParts {
  readonly transport: Transport;
  /** The group the office reads a log as; null on brokers that have queues. */
  readonly group: string | null;
  readonly host: Host;
  readonly signal: AbortSignal;
  /** Takes one report. What it rejects comes again. */
  readonly take: (report: Report) => Promise<void>;
  readonly onIncident?: (incident: Incident) => void;
}

const atOnce = 50;
const leaseMs = 30_000;
const returnDelayMs = 1_000;
/** Until the first consumer reports, on some brokers there is no such queue. */
const lookAgainMs = 2_000;

/** Reads the queue of reports of one broker until `signal` aborts. What is no report is dropped: anyone may write there. */
export async function consumeReports({ transport, group, host, signal, ...parts }: ReportsParts): Promise<void> {
  const from: Address = { name: queueNames.reports, ...(group === null ? {} : { group }) };
  const handle = async ({ message }: Delivery): Promise<Verdict> => {
    const report = readReport(message.body);
    if (report !== null) await parts.take(report);
    return done;
  };
  const report = parts.onIncident ?? (() => {});
  const limits = { concurrency: atOnce, prefetch: atOnce * 4, leaseMs, returnDelayMs } as const;
  while (!signal.aborted) {
    try {
      await transport.consume(from, handle, { ...limits, order: "none", signal, report });
    } catch (error) {
      if (!isOfficeError(error, "QUEUE_NOT_FOUND")) throw error;
      await pause(host.clock, lookAgainMs, signal);
    }
  }
}
