import type { DeadLetter } from "../domain/dead-letter.ts";
import type { Header, HeaderValue } from "../domain/message.ts";
import { textOf as utf8 } from "../domain/text-of.ts";
import { type Json, parseContainer } from "./json.ts";

/** A dead letter laid out for its readers: by name, and parsed at most once. */
export interface LetterView {
  readonly letter: DeadLetter;
  /** All values of a name, in order. Names of brokers that ignore case are in lower case. */
  readonly headers: ReadonlyMap<string, readonly HeaderValue[]>;
  /** All names in one text, for a quick look whether any begins with something: most letters speak one dialect of fifty. */
  readonly names: string;
  readonly properties: ReadonlyMap<string, HeaderValue>;
  /** The body as text; null when it is not UTF-8. */
  readonly text: () => string | null;
  /** The body as JSON, when it is an object or a list. */
  readonly json: () => Json | undefined;
}

/** Brokers on which `X-Reason` and `x-reason` are one name. */
const caseless = new Set(["nats"]);

export function viewOf(letter: DeadLetter): LetterView {
  const fold = caseless.has(letter.broker);
  const { body, headers } = letter.message;
  const text = once(() => utf8(body));
  return {
    letter,
    headers: byName(headers, fold),
    names: headers.reduce((names, { name }) => `${names}\n${name}`, ""),
    properties: new Map(letter.message.properties.map(({ name, value }) => [name, value])),
    text,
    json: once(() => (body.length <= largeBody ? smallJson(body, text) : largeJson(letter, text))),
  };
}

/** Above this many bytes a body is parsed only where a word in it gives reason to. */
const largeBody = 16_384;

/** One of these is in every message body that a dialect is read from. */
const envelopeWords =
  "_poisoned actor_name kwargs dlq Dlq DLQ rror xception eason subscriberArn requestContext partnerResourceArn delivery_info TopicArn pubsubname specversion messageType jid TaskName".split(
    " ",
  );

const messageBrokers = /^(kafka|amqp-|sqs$|servicebus$|pubsub$|nats$|pulsar$)/;

/** What a job's store keeps is always looked into: there the whole job is one value. */
function mayBeEnvelope({ broker, message: { body } }: DeadLetter): boolean {
  if (!messageBrokers.test(broker)) return true;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return envelopeWords.some((word) => bytes.includes(word));
}

function largeJson(letter: DeadLetter, text: () => string | null): Json | undefined {
  return mayBeEnvelope(letter) ? parseContainer(text() ?? "") : undefined;
}

/**
 * The small body that was parsed last: who looks for ids in one comes right after who reads it, and parsing is dear. Only that
 * one, so that what was parsed of a batch does not have to be kept, and moved about by the collector, until the batch ends.
 */
const parsed = new Map<Uint8Array, Json | undefined>();

function smallJson(body: Uint8Array, text: () => string | null): Json | undefined {
  if (!parsed.has(body)) {
    parsed.clear();
    parsed.set(body, parseContainer(text() ?? ""));
  }
  return parsed.get(body);
}

/** A body as JSON, when it is an object or a list and not large. */
export function bodyJson(body: Uint8Array): Json | undefined {
  return body.length <= largeBody ? smallJson(body, () => utf8(body)) : undefined;
}

function byName(headers: readonly Header[], fold: boolean): Map<string, HeaderValue[]> {
  const found = new Map<string, HeaderValue[]>();
  for (const { name, value } of headers) {
    const key = fold ? name.toLowerCase() : name;
    const values = found.get(key);
    if (values === undefined) found.set(key, [value]);
    else values.push(value);
  }
  return found;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

export function has({ headers }: LetterView, name: string): boolean {
  return headers.has(name);
}

/** The first value of a header. */
export function firstValue({ headers }: LetterView, name: string): HeaderValue | undefined {
  return headers.get(name)?.[0];
}

/** The last value of a header: where a library appends, the newest. */
export function lastValue({ headers }: LetterView, name: string): HeaderValue | undefined {
  return headers.get(name)?.at(-1);
}

export function firstText(view: LetterView, name: string): string | undefined {
  return valueText(firstValue(view, name));
}

export function lastText(view: LetterView, name: string): string | undefined {
  return valueText(lastValue(view, name));
}

export function propertyText({ properties }: LetterView, name: string): string | undefined {
  return valueText(properties.get(name));
}

/** Whether any name begins so. */
export function hasPrefix({ names }: LetterView, prefix: string): boolean {
  return names.includes(`\n${prefix}`);
}

/** The names on the letter that the pattern fits, as the letter writes them, each once. */
export function namesLike({ letter }: LetterView, pattern: RegExp): readonly string[] {
  const names = new Set<string>();
  for (const { name } of letter.message.headers) if (pattern.test(name)) names.add(name);
  return [...names];
}

/** Text of a scalar; bytes are read as UTF-8 whatever they are. */
export function valueText(value: HeaderValue | undefined): string | undefined {
  switch (value?.type) {
    case "text":
      return value.value;
    case "bytes":
      return decoder.decode(value.value);
    case "integer":
    case "double":
    case "boolean":
      return String(value.value);
    default:
      return undefined;
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
