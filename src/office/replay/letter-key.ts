import { isList, isObject, type Json, textOf } from "../../dialects/json.ts";
import { bodyJson } from "../../dialects/letter-view.ts";
import { carriedKey } from "../../domain/idempotency.ts";
import { headerText } from "../../domain/message.ts";
import type { KeyPlace } from "../../domain/protocol.ts";
import type { Candidate } from "../../ledger/read-candidates.ts";
import { parsePointer } from "../edit/json-pointer.ts";
import type { OpenedLetter } from "../open-letter.ts";

/** Whether a letter has an idempotency key: where senders put theirs, or where its policy says that its consumers look. */
export function hasKey(
  { message, queue }: Pick<Candidate, "message" | "queue">,
  { reading, payload }: OpenedLetter,
  place: KeyPlace | null,
): boolean {
  if (carriedKey(message, queue) !== undefined || isKey(reading.idempotencyKey)) return true;
  if (place === null) return false;
  if ("header" in place) return isKey(headerText(message.headers, place.header));
  return payload !== null && isKey(textOf(valueAt(bodyJson(payload), parsePointer(place.pointer))));
}

function isKey(key: string | null | undefined): boolean {
  return key !== null && key !== undefined && key !== "";
}

/** Undefined where there is nothing. */
function valueAt(json: Json | undefined, path: readonly string[]): Json | undefined {
  let at = json;
  for (const part of path) {
    if (isList(at)) at = at[Number(part)];
    else at = isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined;
  }
  return at;
}
