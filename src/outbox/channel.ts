import { createHash } from "node:crypto";

/** Where relays of a schema listen. Names of channels are short and schemas' names need not be. */
export function channelOf(schema: string): string {
  return `dlo_outbox_${createHash("sha256").update(schema).digest("hex").slice(0, 32)}`;
}
