/**
 * JSON read as text: where each value stands, not what it is worth. An edit is spliced into the original text, so what
 * nobody touched keeps its bytes: numbers beyond a double's precision, order of keys, spaces, escapes.
 */
export type JsonNode = JsonObject | JsonArray | JsonScalar;

interface Span {
  /** Offsets into the text; `end` is behind the last character. */
  readonly start: number;
  readonly end: number;
}

export interface JsonObject extends Span {
  readonly kind: "object";
  /** In order, repeated keys kept. */
  readonly members: readonly JsonMember[];
}

export interface JsonArray extends Span {
  readonly kind: "array";
  readonly items: readonly JsonNode[];
}

export interface JsonScalar extends Span {
  readonly kind: "string" | "number" | "literal";
}

export interface JsonMember {
  readonly key: string;
  /** Where the key's quote stands. */
  readonly start: number;
  readonly value: JsonNode;
}

export class JsonTextError extends Error {
  override readonly name = "JsonTextError";
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(`${message} at offset ${offset}`);
    this.offset = offset;
  }
}

/** Deeper than anybody's payload, and far from the end of the stack. */
export const maxJsonDepth = 512;

/** The text of one value, as it was written. */
export function sourceOf(text: string, { start, end }: JsonNode): string {
  return text.slice(start, end);
}

interface Cursor {
  readonly text: string;
  at: number;
  depth: number;
}

/** Accepts exactly what `JSON.parse` accepts, up to `maxJsonDepth`; throws JsonTextError for the rest. */
export function parseJsonText(text: string): JsonNode {
  const cursor: Cursor = { text, at: 0, depth: 0 };
  const node = readValue(cursor);
  skipSpace(cursor);
  if (cursor.at < text.length) throw unexpected(cursor);
  return node;
}

function readValue(cursor: Cursor): JsonNode {
  skipSpace(cursor);
  switch (cursor.text[cursor.at]) {
    case "{":
      return nested(cursor, readObject);
    case "[":
      return nested(cursor, readArray);
    case '"':
      return readString(cursor);
    case "t":
    case "f":
    case "n":
      return readToken(cursor, "literal", literalToken);
    default:
      return readToken(cursor, "number", numberToken);
  }
}

function nested(cursor: Cursor, read: (cursor: Cursor) => JsonNode): JsonNode {
  if (cursor.depth === maxJsonDepth) throw new JsonTextError(`More than ${maxJsonDepth} levels deep`, cursor.at);
  cursor.depth += 1;
  const node = read(cursor);
  cursor.depth -= 1;
  return node;
}

function readObject(cursor: Cursor): JsonObject {
  const start = cursor.at;
  const members = readSeries(cursor, "}", () => {
    skipSpace(cursor);
    const key = readString(cursor);
    skipSpace(cursor);
    expectChar(cursor, ":");
    return {
      key: JSON.parse(cursor.text.slice(key.start, key.end)) as string,
      start: key.start,
      value: readValue(cursor),
    };
  });
  return { kind: "object", start, end: cursor.at, members };
}

function readArray(cursor: Cursor): JsonArray {
  const start = cursor.at;
  const items = readSeries(cursor, "]", () => readValue(cursor));
  return { kind: "array", start, end: cursor.at, items };
}

/** What stands between the bracket at the cursor and its partner, separated by commas. */
function readSeries<Entry>(cursor: Cursor, close: string, readEntry: () => Entry): readonly Entry[] {
  cursor.at += 1;
  const entries: Entry[] = [];
  skipSpace(cursor);
  while (cursor.text[cursor.at] !== close) {
    if (entries.length > 0) expectChar(cursor, ",");
    entries.push(readEntry());
    skipSpace(cursor);
  }
  cursor.at += 1;
  return entries;
}

// Sticky, so that a token is matched where the cursor is. Each alternative starts with another character: linear time.
const space = /[ \t\n\r]*/y;
const numberToken = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const literalToken = /true|false|null/y;

function readToken(cursor: Cursor, kind: JsonScalar["kind"], token: RegExp): JsonScalar {
  const start = cursor.at;
  token.lastIndex = start;
  if (!token.test(cursor.text)) throw unexpected(cursor);
  cursor.at = token.lastIndex;
  return { kind, start, end: cursor.at };
}

const escapeToken = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const quoteCode = 0x22;
const backslashCode = 0x5c;
const firstAllowedCode = 0x20;

/** By hand: a regular expression over a string of many megabytes exhausts its stack. */
function readString(cursor: Cursor): JsonScalar {
  const start = cursor.at;
  expectChar(cursor, '"');
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at);
    if (code === quoteCode) break;
    if (code === backslashCode) readToken(cursor, "string", escapeToken);
    else if (code >= firstAllowedCode) cursor.at += 1;
    else throw unexpected(cursor);
  }
  cursor.at += 1;
  return { kind: "string", start, end: cursor.at };
}

function skipSpace(cursor: Cursor): void {
  space.lastIndex = cursor.at;
  space.test(cursor.text);
  cursor.at = space.lastIndex;
}

function expectChar(cursor: Cursor, char: string): void {
  if (cursor.text[cursor.at] !== char) throw unexpected(cursor);
  cursor.at += 1;
}

function unexpected({ text, at }: Cursor): JsonTextError {
  return new JsonTextError(at < text.length ? `Unexpected ${JSON.stringify(text[at])}` : "Unexpected end", at);
}
