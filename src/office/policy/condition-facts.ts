import type { Category } from "../../domain/classification.ts";
import type { DeadLetter, LetterReading } from "../../domain/dead-letter.ts";
import { maskPayload } from "../../domain/mask-json.ts";
import { type Header, headerText } from "../../domain/message.ts";
import { type Masking, maskHeaders, maskText } from "../../domain/redaction.ts";
import { parseSchemaName } from "../../domain/schema-name.ts";
import { wire } from "../../domain/wire.ts";
import type { LetterFacts } from "../../triage/conditions/letter-facts.ts";

/** What a letter does not say itself. */
export interface Circumstances {
  readonly source: string;
  readonly queue: string;
  /** Null where it has none yet. */
  readonly category: Category | null;
  readonly was: Category | null;
  readonly confidence: number | null;
  readonly replays: number;
  readonly key: string | null;
  readonly orderKey: string | null;
  /** Milliseconds since 1970; null where it is not known. */
  readonly failedAt: number | null;
  readonly now: number;
}

/** Longer bodies read as null: conditions would not parse them anyway. */
const longestBodyBytes = 1_048_576;

/** How what a letter says is told to a condition. */
export interface Telling {
  text(said: string | null): string | null;
  headers(said: readonly Header[]): readonly Header[];
  body(said: string): string;
}

const tellingAll: Telling = { text: (said) => said, headers: (said) => said, body: (said) => said };

/**
 * For conditions whose author learns what they come to: trying one after the other must not find out by and by what no list
 * shows.
 */
export function tellingAsShown(masking: Masking): Telling {
  return {
    text: (said) => (said === null || masking.detectors === "none" ? said : maskText(said)),
    headers: (said) => maskHeaders(said, masking),
    body: (said) => maskPayload(said, masking),
  };
}

/** What conditions may ask about a letter. Headers and body are made ready when a condition first asks for them. */
export function conditionFacts(
  letter: DeadLetter,
  reading: LetterReading,
  known: Circumstances,
  tell: Telling = tellingAll,
): LetterFacts {
  const schema = parseSchemaName(reading.schema);
  const body = reading.payload ?? letter.message.body;
  let headers: Readonly<Record<string, string>> | undefined;
  return {
    ...{ source: known.source, queue: known.queue, broker: letter.broker },
    ...{ category: known.category, confidence: known.confidence },
    was: known.was === known.category ? null : known.was,
    ...{ attempts: reading.attempts, replays: known.replays, size: body.byteLength },
    ageS: known.failedAt === null ? null : Math.max(0, Math.round((known.now - known.failedAt) / 1_000)),
    ...{ expiresAt: reading.expiresAt, isPastTtl: reading.expiresAt !== null && reading.expiresAt <= known.now },
    ...{ type: reading.schema, key: known.key, order: tell.text(known.orderKey), tenant: tell.text(reading.tenant) },
    schema: { name: schema.name, version: wholeNumber(schema.version) },
    error: {
      ...{ class: reading.errorClass, message: tell.text(reading.errorMessage), code: reading.errorCode },
      ...{ http: reading.httpStatus, stack: tell.text(reading.stack) },
    },
    get headers() {
      headers ??= headerTexts(tell.headers(letter.message.headers));
      return headers;
    },
    get body() {
      return body.byteLength > longestBodyBytes ? null : tell.body(new TextDecoder().decode(body));
    },
    get consumer() {
      return consumerOf(reading, tell.headers(letter.message.headers));
    },
  };
}

/** Of headers with one name the last counts. Each is looked at once: senders say how many there are. */
function headerTexts(headers: readonly Header[]): Readonly<Record<string, string>> {
  const last = new Map(headers.map((header) => [header.name, header]));
  return Object.fromEntries(
    [...last].flatMap(([name, header]) => {
      const text = headerText([header], name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

/** Only our own runtime says which version it is. */
function consumerOf({ consumer }: LetterReading, headers: readonly Header[]): LetterFacts["consumer"] {
  const [, version] = /"version"\s*:\s*"([^"\\]*)"/.exec(headerText(headers, wire.consumer) ?? "") ?? [];
  return { service: consumer, version: version ?? null };
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
