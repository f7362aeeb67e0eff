import { durationInWords } from "../../domain/duration.ts";
import type { Lead } from "../../ledger/lead-replay.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { noteWait } from "../../ledger/replay-moves.ts";
import type { HaltCause } from "../../ledger/replay-record.ts";
import { whyAway } from "../../sources/ask-broker.ts";

interface Failure {
  /** What ended the attempt to go on. */
  readonly error: unknown;
  /** How long a broker that does not answer is waited for, in milliseconds. */
  readonly awayMs: number;
}

/**
 * A broker that does not answer has not got what is not sent yet, and will be there again: whoever leads the replay next tries again, so
 * the error is thrown on. Not without end: nobody wants to find next week that it goes on with what they let go today.
 */
export async function awayForTooLong(ledger: Ledger, lead: Lead, { error, awayMs }: Failure): Promise<HaltCause> {
  const why = whyAway(error);
  if (why === null) throw error;
  const waitedMs = await noteWait(ledger, lead, why);
  if (waitedMs === null || waitedMs < awayMs) throw error;
  return { guard: "destination", sentence: `It waited ${durationInWords(awayMs)} for its broker: ${why}.` };
}
