import { createHash } from "node:crypto";

/** How codes, sessions and tokens are kept. A quick hash will do: they are 256 bits of chance, which nobody guesses. */
export function digestOf(secret: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(secret).digest());
}
