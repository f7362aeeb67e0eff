import { hexOf, showId } from "../../domain/ids.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { type Candidate, laneName, readLanes } from "../../ledger/read-candidates.ts";
import { releasedLetters } from "../../ledger/released-letters.ts";
import type { DestinationFacts, OrderFacts } from "./facts.ts";

/** What the ledger knows of the order in which letters died. */
export interface KnownOrder {
  /** Letters of each ordering key that nobody has decided about, by `laneName`. */
  readonly lanes: ReadonlyMap<string, readonly string[]>;
  /** Letters whose key goes on without them, in hexadecimal digits. */
  readonly released: ReadonlySet<string>;
}

export async function readOrder(ledger: Ledger, candidates: readonly Candidate[]): Promise<KnownOrder> {
  const ids = candidates.map(({ id }) => id);
  return {
    lanes: await readLanes(ledger, candidates.flatMap(laneOf)),
    released: await releasedLetters(ledger, ids),
  };
}

function laneOf({ queue, orderKey }: Candidate) {
  return orderKey === null ? [] : [{ queue, orderKey }];
}

/** The first letter of its ordering key that stays behind holds up those after it. */
export function orderOf(
  { id, queue, orderKey, broker, message }: Candidate,
  { lanes, released }: KnownOrder,
  going: ReadonlySet<string>,
  found: DestinationFacts,
): OrderFacts | null {
  if (orderKey === null) return null;
  const own = hexOf(id);
  const before = lanes.get(laneName({ queue, orderKey })) ?? [];
  const first = before.find((other) => other < own && !going.has(other));
  const kept = found.kind === "known" ? found.keepsOrder : null;
  // One letter alone has no order to lose: what came after it has long gone on.
  const isOneOfSeveral = before.some((other) => other !== own);
  const isLost = isOneOfSeveral && (kept === "never" || (kept === "by_key" && message.key === null));
  return {
    predecessor: first === undefined ? null : showId("letter", Buffer.from(first, "hex")),
    notKeptBy: isLost ? broker : null,
    wasReleased: released.has(own),
  };
}
