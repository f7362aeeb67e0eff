import { leaseEnd, type TakenWhen } from "../lease-end.ts";
import type { Taken } from "../pull-link.ts";
import type { Lease } from "./lease.ts";
import { decodeMessage } from "./message-codec.ts";
import type { Pulled, QueueReader } from "./queue-reader.ts";
import { placeOf } from "./stream-place.ts";

/** One hand-over of one message. */
export interface NatsReceipt extends Lease {
  readonly reader: QueueReader;
  /** The subject on which the server is told what becomes of it. */
  readonly acknowledgeOn: string;
  readonly ackWaitMs: number;
  /**
   * Of this place in a stream, and of none that was or will be called the same. Whatever is sent on from there has it, wherever
   * it goes: one successor is stored, and a retry is not stored beside a dead letter when nobody heard of the first.
   */
  readonly id: string;
  readonly taken: Omit<Taken<unknown>, "receipt" | "position" | "deliveryCount"> & {
    readonly position: string;
    readonly deliveryCount: number;
  };
}

export function takenOf(
  reader: QueueReader,
  { reader: from, msg }: Pulled,
  { leaseMs, ...when }: TakenWhen & { readonly leaseMs: number },
): Taken<NatsReceipt> {
  const acknowledgeOn = msg.reply as string;
  const { stream, seq, deliveries, storedAtNs } = placeOf(acknowledgeOn);
  const { message, again } = decodeMessage(msg, from.subject);
  const taken = {
    message,
    position: again?.position ?? `${stream}:${seq}`,
    redelivered: deliveries > 1 || again?.redelivered === true,
    deliveryCount: deliveries + (again?.deliveries ?? 0),
  };
  const id = `${stream}:${seq}:${storedAtNs}:${from.consumer}`;
  const { ackWaitMs } = from;
  const [until, serverUntil] = [leaseEnd(when, leaseMs), leaseEnd(when, ackWaitMs)];
  return { ...taken, receipt: { reader, acknowledgeOn, ackWaitMs, id, taken, until, serverUntil } };
}
