import { OfficeError } from "../../domain/errors.ts";
import { type Address, type Message, queueName } from "../../domain/message.ts";
import { requireOption } from "../../domain/options.ts";
import { possibleDelay, requireDelay } from "../delay.ts";
import { laneOf } from "./lane.ts";
import { arrayLiteral, type EncodedMessage, encodedBytes, encodeMessage } from "./message-block.ts";

/** A message on its way to a queue. */
export interface Outgoing {
  readonly queue: string;
  readonly lane: bigint | null;
  readonly delayMs: number;
  readonly message: EncodedMessage;
}

/** Bytes of messages in one statement, which are in memory twice while it runs. */
export const maxBatchBytes = 16_777_216;
/** Each lane a statement touches is a lock, and a server has some thousands of them for all its connections. */
export const maxBatchLanes = 100;

/** What the database would refuse is refused here, alone: there it would take all of its batch with it. */
export function newOutgoing(queue: string, message: Message, delayMs: number, maxMessageBytes: number): Outgoing {
  requireDelay(delayMs);
  const outgoing = outgoingAgain(queue, message, delayMs);
  const bytes = encodedBytes(outgoing.message);
  if (bytes > maxMessageBytes) {
    const sentence = `The message has ${bytes} bytes, and \`maxMessageBytes\` is ${maxMessageBytes}.`;
    throw new OfficeError("MESSAGE_TOO_LARGE", sentence, { details: { bytes, maxMessageBytes } });
  }
  return outgoing;
}

/**
 * One that is in a queue already. Our own headers have made it larger since it was accepted: refused for that, it could
 * be neither retried nor dead-lettered, ever.
 */
export function outgoingAgain(queue: string, message: Message, delayMs: number): Outgoing {
  return { queue, lane: laneOf(queue, message.key), delayMs: possibleDelay(delayMs), message: encodeMessage(message) };
}

/** The name of a queue as the table has it. */
export function requireQueue(address: Address): string {
  const queue = queueName(address);
  const fits = queue !== "" && !queue.includes("\0") && Buffer.from(queue).toString() === queue;
  requireOption(fits, "queue", "a name that is Unicode text without NUL", queue);
  return queue;
}

/** Queues, lanes and delays, as parameters. */
export function outgoingValues(items: readonly Outgoing[]): readonly [queues: string[], lanes: string, delays: string] {
  return [
    items.map(({ queue }) => queue),
    arrayLiteral(items.map(({ lane }) => lane)),
    arrayLiteral(items.map(({ delayMs }) => delayMs)),
  ];
}

/** The order in which everybody locks lanes, lest two wait for each other; that of a bigint in SQL. */
export function compareLanes(a: bigint | null, b: bigint | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}

/** The lanes to lock before these are touched, each once and in order, as a parameter. */
export function lockValues(items: readonly { readonly lane: bigint | null }[]): string {
  const lanes = new Set(items.map(({ lane }) => lane).filter((lane) => lane !== null));
  return arrayLiteral([...lanes].sort(compareLanes));
}

/** A message with a key weighs at least so much that no batch has more of them than lanes may be locked. */
export function weightOf({ message, lane }: Outgoing): number {
  const bytes = encodedBytes(message);
  return lane === null ? bytes : Math.max(bytes, maxBatchBytes / maxBatchLanes);
}
