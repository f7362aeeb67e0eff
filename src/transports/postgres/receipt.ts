import { decodeHeaders } from "../../domain/header-codec.ts";
import type { Taken } from "../pull-link.ts";
import { arrayLiteral } from "./message-block.ts";

/** One hand-over of one row. */
export interface PostgresReceipt {
  readonly queue: string;
  readonly id: string;
  readonly fence: string;
  readonly lane: bigint | null;
}

/** A row of `take_messages`. */
export interface TakenRow {
  readonly id: string;
  readonly fence: string;
  readonly lane: string | null;
  readonly deliveries: number;
  readonly redelivered: boolean;
  readonly key: Uint8Array | null;
  readonly headers: Uint8Array | null;
  readonly properties: Uint8Array | null;
  /** The body, as one of the two. */
  readonly text: string | null;
  readonly bytes: Uint8Array | null;
}

export function takenOf(queue: string, row: TakenRow): Taken<PostgresReceipt> {
  const { id, fence, lane, key } = row;
  const body = row.text === null ? (row.bytes ?? new Uint8Array()) : bytesOf(row.text);
  return {
    receipt: { queue, id, fence, lane: lane === null ? null : BigInt(lane) },
    message: { key, headers: decodeHeaders(row.headers), properties: decodeHeaders(row.properties), body },
    position: id,
    redelivered: row.redelivered,
    deliveryCount: row.deliveries,
  };
}

/** Like `TextEncoder`, in a third of the time: a buffer's memory comes from a pool. */
function bytesOf(text: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(text);
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Ids and fences, as parameters. */
export function receiptValues(receipts: readonly PostgresReceipt[]): readonly [ids: string, fences: string] {
  return [arrayLiteral(receipts.map(({ id }) => id)), arrayLiteral(receipts.map(({ fence }) => fence))];
}

/** What a receipt and the row it stands for have in common. */
export function handOver({ id, fence }: { readonly id: string; readonly fence: string }): string {
  return `${id}:${fence}`;
}
