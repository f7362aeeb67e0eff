import type { Random } from "../../domain/clock.ts";

/**
 * The partition that Kafka's own clients choose for a key (murmur2 of its bytes), so that messages of a key stay
 * together, whoever sends them.
 */
export function partitionOfKey(key: Uint8Array, partitions: number): number {
  return (murmur2(key) & 0x7fffffff) % partitions;
}

/** Chooses for records without a key, too: one partition after the other. */
export function partitionChooser(random: Random): (key: Uint8Array | null, partitions: number) => number {
  // Not always the first partition, or it would get most of what is sent one at a time by many.
  let turn = Math.floor(random() * 1_000);
  return (key, partitions) => {
    if (key !== null) return partitionOfKey(key, partitions);
    turn += 1;
    return turn % partitions;
  };
}

const seed = 0x9747b28c;
const multiplier = 0x5bd1e995;

/** As `org.apache.kafka.common.utils.Utils.murmur2` has it: 32 bits, little-endian. */
export function murmur2(data: Uint8Array): number {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const blocks = data.length >>> 2;
  let hash = seed ^ data.length;
  for (let block = 0; block < blocks; block++) {
    let mixed = Math.imul(view.getInt32(block * 4, true), multiplier);
    mixed ^= mixed >>> 24;
    hash = Math.imul(hash, multiplier) ^ Math.imul(mixed, multiplier);
  }
  const rest = data.subarray(blocks * 4);
  if (rest.length > 0) {
    for (const [index, byte] of rest.entries()) hash ^= byte << (8 * index);
    hash = Math.imul(hash, multiplier);
  }
  hash = Math.imul(hash ^ (hash >>> 13), multiplier);
  return hash ^ (hash >>> 15);
}
