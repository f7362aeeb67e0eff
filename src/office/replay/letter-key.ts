import { isList, isObject, type Json, textOf } from "../../dialects/json.ts";
import { bodyJson } from "../../dialects/letter-view.ts";
import type { LetterReading } from "../../domain/dead-letter.ts";
import { carriedKey } from "../../domain/idempotency.ts";
import type { KeyPlace } from "../../domain/key-place.ts";
import { headerText, type Message } from "../../domain/message.ts";
import type { Candidate } from "../../ledger/read-candidates.ts";
import { parsePointer } from "../edit/json-pointer.ts";
import type { RevisedLetter } from "../edit/revise-letter.ts";
import { outgoingMessage } from "./outgoing-message.ts";

/** A letter as it would go: edited, if it was. */
export interface GoingLetter extends Pick<RevisedLetter, "payload" | "headers"> {
  readonly candidate: Pick<Candidate, "message">;
  readonly reading: LetterReading;
  /** As its consumers name where it would go. */
  readonly queue: string;
}

/** Whether a letter has an idempotency key: one that consumers of ours read, or one where its policy or source says that its consumers look. */
export function hasKey(going: GoingLetter, place: KeyPlace | null): boolean {
  if (goesWithKey(going)) return true;
  if (place === null) return false;
  if ("header" in place) return isKey(headerText(asSent(going).headers, place.header));
  return going.payload !== null && isKey(textOf(valueAt(bodyJson(going.payload), parsePointer(place.pointer))));
}

/** Whether consumers of ours, who read keys by their exact names, find one in what is sent. */
export function goesWithKey(going: GoingLetter): boolean {
  return carriedKey(asSent(going), going.queue) !== undefined;
}

/** Without the marks of a replay, which are no keys, and without a key of ours in the place of one that is missing. */
function asSent({ candidate: { message }, reading, payload, headers, queue }: GoingLetter): Message {
  return outgoingMessage({
    ...{ letter: "", replay: "", message, reading, queue },
    ...{ editedBody: payload, editedHeaders: headers },
  });
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
