import type { Report } from "../../domain/report.ts";
import { noteBreaker } from "../../ledger/breakers.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { noteAnswer } from "../../ledger/probes.ts";
import { takeReport } from "./record-report.ts";

/** Takes whatever a consumer of a source says: of messages, of itself, and of its breakers. */
export async function hearReport(ledger: Ledger, source: string, report: Report): Promise<void> {
  if (report.kind === "breaker") await noteBreaker(ledger, source, report);
  else if (report.kind === "probe") await noteAnswer(ledger, source, report);
  else await takeReport(ledger, source, report);
}
