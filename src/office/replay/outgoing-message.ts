import type { LetterReading } from "../../domain/dead-letter.ts";
import { type HeaderChange, withHeaderChanges } from "../../domain/header-changes.ts";
import { carriedKey } from "../../domain/idempotency.ts";
import { type Header, headerText, type Message, textHeader } from "../../domain/message.ts";
import { wire } from "../../domain/wire.ts";

export interface OutgoingLetter {
  /** The letter's own id, `ltr_…`. */
  readonly letter: string;
  /** The replay and the item's number in it: `rpl_…/7`. */
  readonly replay: string;
  readonly message: Message;
  readonly reading: Pick<LetterReading, "source" | "payload" | "replay">;
  /** What an audited edit put in place of the body; null sends the original bytes. */
  readonly editedBody: Uint8Array | null;
  /** What it put in place of headers; null sends those it came with. */
  readonly editedHeaders: readonly HeaderChange[] | null;
  /** What consumers may know it by where it has no idempotency key: the same in every replay of it. @default it has one, or needs none */
  readonly key?: string | null;
  /** Its number among the messages of its key in the queue it failed in; null: it has none. @default null */
  readonly place?: number | null;
  /** The queue it goes to, by the name its consumer knows it by. */
  readonly queue: string;
}

/** Ours, and the message's for good: which message it is and where it stands in its order. */
const carried: ReadonlySet<string> = new Set([wire.key, wire.order, wire.schema]);

/**
 * The message as it goes back: the bytes it had before anybody wrapped or failed it, the sender's headers, none of the
 * marks of its failure, and ours that tell its consumer and the office what it is. It begins anew: no attempts behind it. To the
 * queue it failed in it takes the number of its place along: without it, it would wait behind itself there.
 */
export function outgoingMessage(outgoing: OutgoingLetter): Message {
  const { letter, replay, message, reading, editedBody, editedHeaders, queue, key = null } = outgoing;
  const stripped = new Set(reading.replay.strip);
  const isOurs = isBoundTo(message.headers, reading.source);
  const kept = message.headers.filter(
    ({ name }) => !stripped.has(name) && (isOurs ? !isState(name) : !isOfOffice(name)),
  );
  const marks = [textHeader(wire.queue, queue), textHeader(wire.letter, letter), textHeader(wire.replay, replay)];
  const sent = {
    ...message,
    body: editedBody ?? reading.payload ?? message.body,
    headers: [...withHeaderChanges(kept, editedHeaders), ...marks, ...placeOf(outgoing)],
    properties: message.properties.filter(({ name }) => !stripped.has(name)),
  };
  // A key that is there, be it an edit's, is never replaced.
  const isNameless = key !== null && carriedKey(sent, queue) === undefined;
  return isNameless ? { ...sent, headers: [...sent.headers, textHeader(wire.key, key)] } : sent;
}

/** The number of its place among the messages of its key. To any other queue it is a stranger's. */
function placeOf({ place = null, reading, queue }: OutgoingLetter): readonly Header[] {
  return place !== null && reading.source === queue ? [textHeader(wire.lane, String(place))] : [];
}

/** Beside the `dlo-queue` of another queue our headers are another message's, copied: bound anew, they would be believed. */
function isBoundTo(headers: readonly Header[], source: string | null): boolean {
  const bound = headerText(headers, wire.queue);
  return bound === undefined || bound === source;
}

function isOfOffice(name: string): boolean {
  return name.startsWith("dlo-") && !name.startsWith(wire.property);
}

function isState(name: string): boolean {
  return isOfOffice(name) && !carried.has(name);
}
