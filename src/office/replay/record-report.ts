import { hexOf } from "../../domain/ids.ts";
import type { OutcomeReport, Report } from "../../domain/report.ts";
import { readSendMark } from "../../domain/send-mark.ts";
import { noteHeartbeat } from "../../ledger/consumers.ts";
import { reopenEdited } from "../../ledger/edits.ts";
import { settleItems } from "../../ledger/lead-replay.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { findSend } from "../../ledger/sends.ts";

/** What a report about a message came to: whether it was news about a send the ledger knows of. */
export type ReportOutcome = "settled" | "known" | "stranger";

/**
 * Takes a consumer's word on what became of a message that was replayed. Anyone may write to the queue of reports, so it
 * counts only if the ledger knows that send, of that letter, to that queue; and a death counts when the letter comes back.
 */
export async function recordOutcome(ledger: Ledger, report: OutcomeReport): Promise<ReportOutcome> {
  const send = readSendMark(report);
  if (send === null) return "stranger";
  const known = await findSend(ledger, ledger.database, send);
  if (known === null || known.queue !== report.queue || hexOf(known.letterId) !== hexOf(send.letter)) return "stranger";
  if (report.result === "dead") return "known";
  const outcome = report.result === "done" ? "confirmed" : "suppressed";
  const settled = await ledger.database.transaction(async (transaction) => {
    const news = await settleItems(ledger, transaction, { replay: send.replay, numbers: [send.n], outcome });
    // What the inbox knew is the original's effect, not the edit's: somebody has to decide what becomes of that.
    if (outcome === "suppressed") await reopenEdited(ledger, transaction, { replay: send.replay, numbers: news });
    return news;
  });
  return settled.length > 0 ? "settled" : "known";
}

/** Takes what consumers of a source say: what became of a message, and who is at work with what. */
export async function takeReport(ledger: Ledger, source: string, report: Report): Promise<void> {
  if (report.kind === "outcome") await recordOutcome(ledger, report);
  if (report.kind === "heartbeat") await noteHeartbeat(ledger, source, report);
}
