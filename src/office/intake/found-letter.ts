import type { DeadLetter } from "../../domain/dead-letter.ts";
import { type Delivery, headerText } from "../../domain/message.ts";
import type { Transport } from "../../transports/transport.ts";
import type { FoundBy } from "./identify.ts";
import type { FoundLetter } from "./read-letters.ts";

/** How dialects call what transports talk to. */
const dialectBrokers: Readonly<Record<string, string>> = { rabbitmq: "amqp-0-9-1" };

export interface DeliveredLetter {
  readonly delivery: Pick<Delivery, "message" | "source" | "position" | "redelivered">;
  readonly source: string;
  readonly transport: Pick<Transport, "broker" | "positionsAreNames">;
  readonly session: Uint8Array;
  readonly ordinal: number;
}

/** A delivery as the dead letter that it is. */
export function foundLetter({ delivery, source, transport, session, ordinal }: DeliveredLetter): FoundLetter {
  const { message, position, redelivered } = delivery;
  const { broker, positionsAreNames: isName = false } = transport;
  const letter: DeadLetter = {
    broker: dialectBrokers[broker] ?? broker,
    queue: delivery.source.name,
    message,
    ...placeIn(position),
    timestamp: sentAtOf(message),
    exchange: null,
    routingKey: null,
    redelivered,
  };
  const found: FoundBy =
    position === null ? { kind: "delivery", session, ordinal, redelivered } : { kind: "position", position, isName };
  return { letter, source, found };
}

/** When it was sent, where the broker says so among its properties, in milliseconds since 1970. */
function sentAtOf({ properties }: Delivery["message"]): number | null {
  const sent = Number(headerText(properties, "SentTimestamp") ?? Number.NaN);
  return Number.isSafeInteger(sent) && sent > 0 ? sent : null;
}

/** Where it is in a log: positions there are `topic/partition/offset`. */
function placeIn(position: string | null): Pick<DeadLetter, "partition" | "offset"> {
  const [, partition, offset] = /\/(\d+)\/(\d+)$/.exec(position ?? "") ?? [];
  if (partition === undefined || offset === undefined) return { partition: null, offset: null };
  return { partition: Number(partition), offset: BigInt(offset) };
}
