import { randomBytes } from "node:crypto";

/** 256 bits of chance, as text that fits into a URL. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}
