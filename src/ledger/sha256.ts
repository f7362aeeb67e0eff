import { hash } from "node:crypto";

/**
 * In one call, which costs half of what an object to add to does; and by way of a text, for bytes copied from one share their
 * memory with others, where each buffer that comes from outside has memory of its own that somebody must look after.
 */
export function sha256Of(bytes: Uint8Array | string): Uint8Array {
  return Buffer.from(hash("sha256", bytes, "binary"), "binary");
}
