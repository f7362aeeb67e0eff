import { headerText, type Message } from "../domain/message.ts";
import { queueNames, wire } from "../domain/wire.ts";
import type { MemoryBroker } from "../transports/memory-broker.ts";
import type { Sending } from "./checkout.ts";
import { sendingOf } from "./order.ts";

/** Where everything that was sent has got to. */
export interface Accounts {
  /** Messages sent, duplicates included. */
  readonly sent: number;
  readonly orders: number;
  /** Orders in payments' books. */
  readonly charged: number;
  readonly chargedTwice: number;
  /** Messages whose order another message had been charged for. */
  readonly duplicates: number;
  /** How many dead letters there are, by the reason written on them. */
  readonly deadLettered: Readonly<Record<string, number>>;
  readonly quarantined: Readonly<Record<string, number>>;
  /** Messages still in the queue. */
  readonly queued: number;
  /** Messages that are nowhere: neither charged nor in any queue. */
  readonly lost: number;
}

export interface Books {
  readonly broker: Pick<MemoryBroker, "queues" | "messages">;
  readonly queue: string;
  readonly sent: readonly Sending[];
  /** How often each order was charged. */
  readonly charges: ReadonlyMap<number, number>;
}

/**
 * Counts by looking: through every queue and through payments' books, for each message that was sent. The runtime is not
 * asked, so it cannot be believed wrongly.
 */
export function takeAccounts({ broker, queue, sent, charges }: Books): Accounts {
  const held = new Set(broker.queues().flatMap((name) => broker.messages(name).map(sendingOf)));
  const gone = sent.filter(({ id }) => !held.has(id));
  const orders = new Set(sent.map(({ order }) => order));
  const accounted = gone.filter(({ order }) => charges.has(order));
  return {
    sent: sent.length,
    orders: orders.size,
    charged: charges.size,
    chargedTwice: [...charges.values()].filter((times) => times > 1).length,
    duplicates: accounted.length - new Set(accounted.map(({ order }) => order)).size,
    deadLettered: byReason(broker.messages(queueNames.deadLetters(queue))),
    quarantined: byReason(broker.messages(queueNames.quarantine(queue, "poison"))),
    queued: broker.messages(queue).length,
    lost: gone.length - accounted.length,
  };
}

function byReason(letters: readonly Message[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { headers } of letters) {
    const reason = headerText(headers, wire.reason) ?? "unknown";
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}
