import { createHash } from "node:crypto";
import { wireCaps } from "../domain/wire.ts";
import { utf8Length } from "./attempt-log.ts";

/**
 * A key that can be carried and compared, from whatever a rule gave; undefined where that is none.
 *
 * An empty key would make every message a duplicate of the first. One that is too long for its header would be cut there,
 * and two messages that differ after the cut would be one: its digest stands for it, everywhere.
 */
export function usableKey(key: unknown): string | undefined {
  if (typeof key === "number" || typeof key === "bigint") return String(key);
  if (typeof key !== "string" || key === "") return undefined;
  if (key.length * 3 <= wireCaps.key || utf8Length(key) <= wireCaps.key) return key;
  return `sha256:${createHash("sha256").update(key, "utf16le").digest("hex")}`;
}
