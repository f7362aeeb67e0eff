import type { Actor } from "../../domain/actor.ts";
import { readBodyToShow } from "../../domain/body-store.ts";
import { maskPayload } from "../../domain/mask-json.ts";
import type { Header, HeaderValue } from "../../domain/message.ts";
import { maskHeaders } from "../../domain/redaction.ts";
import { textOf } from "../../domain/text-of.ts";
import { recordAction } from "../../ledger/audit.ts";
import { findLetters } from "../../ledger/search/find-letters.ts";
import { readLetter, type WholeLetter } from "../../ledger/search/read-letter.ts";
import type { Office } from "../operations/operation.ts";
import { searchedUnjudged } from "../replay/searched-now.ts";

export interface ExportOptions {
  /** In the query language. */
  readonly q: string;
  /** Where the page before ended; null for the first. */
  readonly after: string | null;
  /** Why somebody wants them as they are; null exports them masked. */
  readonly unmaskedBecause: string | null;
}

export interface ExportedPage {
  /** A line of JSON for each letter. */
  readonly lines: readonly string[];
  /** For `after`; null on the last page. */
  readonly next: string | null;
}

/** A header as name, type and value; bytes in base64, whole numbers as text. */
export type WrittenHeader = readonly [name: string, type: string, value: unknown];

/** Bodies are up to megabytes: a page must fit into memory, and into an answer. */
const pageSize = 50;

/** One page of the letters that match, oldest first. What leaves unmasked is written down before it does. */
export async function exportPage(office: Office, actor: Actor, options: ExportOptions): Promise<ExportedPage> {
  const { q, after, unmaskedBecause } = options;
  const { ledger } = office;
  const search = searchedUnjudged(office, actor);
  const { now } = search;
  const page = await findLetters(ledger, { q, sort: "arrived", limit: pageSize, after, ...search });
  if (unmaskedBecause !== null && page.items.length > 0) {
    const details = { query: q, reason: unmaskedBecause, letters: page.items.map(({ id }) => id) };
    await recordAction(ledger, ledger.database, { at: now, actor, action: "letters.exported_unmasked", details });
  }
  const lines: string[] = [];
  for (const { id } of page.items) {
    lines.push(JSON.stringify(await written(office, await readLetter(ledger, id), unmaskedBecause === null)));
  }
  return { lines, next: page.next };
}

async function written(office: Office, letter: WholeLetter, masked: boolean): Promise<unknown> {
  const { summary: s, sha256, key, messageKey, position } = letter;
  const { masking } = office;
  const shown = (headers: readonly Header[]) => (masked ? maskHeaders(headers, masking) : headers).map(writeHeader);
  const body = letter.body ?? (letter.bodyRef === null ? null : await readBodyToShow(office.bodies, letter.bodyRef));
  const hidesKey = masked && messageKey !== null && isHidden(office, messageKey);
  // Without its key it would go somewhere else: then nothing of it is to be sent from there.
  const hides = masked && (hidesKey || (body !== null && isHidden(office, body)));
  return {
    v: 1,
    kind: "letter",
    id: s.id,
    key,
    source: s.source,
    broker: s.broker,
    drainedFrom: s.drainedFrom,
    queue: s.queue,
    state: s.state,
    category: s.category,
    was: s.was,
    error: { class: s.errorClass, message: s.errorMessage, code: s.errorCode },
    headers: shown(letter.headers),
    properties: shown(letter.properties),
    messageKey: messageKey === null || hidesKey ? null : base64(messageKey),
    position,
    body: { base64: body === null || hides ? null : base64(body), sha256, bytes: s.sizeBytes, masked: hides },
    attempts: s.attempts,
    failedAt: s.failedAt,
    arrivedAt: s.arrivedAt,
    expiresAt: s.expiresAt,
  };
}

/** Whether something in it must not leave; of what is no text nobody can say that it may. */
function isHidden({ masking }: Office, bytes: Uint8Array): boolean {
  const text = textOf(bytes);
  return text === null || maskPayload(text, masking) !== text;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

function writeHeader({ name, value }: Header): WrittenHeader {
  return [name, value.type, writeValue(value)];
}

function writeValue(value: HeaderValue): unknown {
  switch (value.type) {
    case "bytes":
      return base64(value.value);
    case "integer":
    case "timestamp":
      return String(value.value);
    case "list":
      return value.value.map((each) => [each.type, writeValue(each)]);
    case "table":
      return value.value.map(writeHeader);
    default:
      return value.value;
  }
}
