import type { Report } from "../../domain/report.ts";
import type { SourcePool } from "../../sources/source-pool.ts";
import { consumeReports } from "./consume-reports.ts";
import { hearReport } from "./hear-report.ts";
import type { ReplayParts } from "./replay-parts.ts";
import type { ReadHooks } from "./standing-reports.ts";

/** Reads what consumers of a source say, into the ledger, until `signal` aborts. */
export async function readReports(
  { ledger, host }: Pick<ReplayParts, "ledger" | "host">,
  pool: SourcePool,
  source: string,
  { onTaken, ...hooks }: Pick<ReadHooks, "signal"> & Partial<ReadHooks>,
): Promise<void> {
  const { transport, group } = await pool.get(source);
  const take = async (report: Report) => {
    await hearReport(ledger, source, report);
    onTaken?.();
  };
  await consumeReports({ ...hooks, transport, group, host, take });
}
