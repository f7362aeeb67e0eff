import { hexOf } from "../domain/ids.ts";

export interface NamedBySender {
  readonly messageId?: string | null;
  readonly idempotencyKey?: string | null;
}

/** What a message's sender names it by. Each says what kind of name it is: an id that equals another's key means nothing. */
export function senderNames(
  { messageId = null, idempotencyKey = null }: NamedBySender,
  recordKey: Uint8Array | null,
): readonly string[] {
  const names = [
    ["id", messageId],
    ["key", idempotencyKey],
    ["record", recordKey === null ? null : hexOf(recordKey)],
  ] as const;
  return names.flatMap(([kind, name]) => (name === null || name === "" ? [] : [`${kind} ${name}`]));
}
