import { settleItems } from "../../ledger/lead-replay.ts";
import { findNotParked } from "./followers.ts";
import type { ReplayParts, Silence } from "./replay-parts.ts";

/**
 * Gives sent letters the outcome that a silence allows. Where their consumer may have parked some, only those are presumed
 * delivered that are parked nowhere: an empty queue says nothing of what was moved out of it.
 */
export async function settleAfter(
  parts: ReplayParts,
  silence: Silence,
  { replay, numbers }: { readonly replay: Uint8Array; readonly numbers: readonly number[] },
): Promise<void> {
  const { ledger } = parts;
  const gone = silence === "unless_parked" ? await findNotParked(parts, replay, numbers) : numbers;
  const presumed = new Set(silence === false ? [] : gone);
  const unknown = numbers.filter((n) => !presumed.has(n));
  await settleItems(ledger, ledger.database, { replay, numbers: [...presumed], outcome: "presumed" });
  await settleItems(ledger, ledger.database, { replay, numbers: unknown, outcome: "unknown" });
}
