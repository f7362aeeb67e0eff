import { hash } from "node:crypto";

/** In one call, which costs half of what an object to add to does. */
export function sha256Of(bytes: Uint8Array | string): Uint8Array {
  return hash("sha256", bytes, "buffer");
}
