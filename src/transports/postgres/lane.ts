import { createHash } from "node:crypto";

/**
 * The lane of a key in a queue: 64 bits that stand for both. Two keys that share one by chance are ordered as if they
 * were one key, which is slower and never wrong.
 */
export function laneOf(queue: string, key: Uint8Array | null): bigint | null {
  if (key === null) return null;
  // The length keeps a queue and a key from being taken for another pair with the same bytes.
  return createHash("sha256")
    .update(`${Buffer.byteLength(queue)}:${queue}`)
    .update(key)
    .digest()
    .readBigInt64BE();
}
