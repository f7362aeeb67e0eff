import type { Actor } from "../../domain/actor.ts";
import { pause } from "../../domain/clock.ts";
import { maskInSteps } from "../../domain/mask-json.ts";
import type { Header, HeaderValue } from "../../domain/message.ts";
import { maskHeaders } from "../../domain/redaction.ts";
import { stepByStep } from "../../domain/steps.ts";
import { textOf } from "../../domain/text-of.ts";
import { recordAction } from "../../ledger/audit.ts";
import { findLetters, pageAfter } from "../../ledger/search/find-letters.ts";
import { readLetter, type WholeLetter } from "../../ledger/search/read-letter.ts";
import type { Office } from "../operations/operation.ts";
import { searchedUnjudged } from "../replay/searched-now.ts";
import { bodyOf } from "../stored-body.ts";

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

/** Letters of a page, at most. */
const pageSize = 50;
/** A page that has so many characters ends: it must fit into memory, and into an answer. */
const pageLength = 16_777_216;
/** Larger bodies do not fit into a line: a text has at most half a billion characters. */
const mostBodyBytes = 268_435_456;

/** One page of the letters that match, oldest first. What leaves unmasked is written down before it does. */
export async function exportPage(office: Office, actor: Actor, options: ExportOptions): Promise<ExportedPage> {
  const { q, after, unmaskedBecause } = options;
  const { ledger } = office;
  const search = searchedUnjudged(office, actor);
  const asked = { q, sort: "arrived", limit: pageSize, after, ...search } as const;
  const page = await findLetters(ledger, asked);
  const lines = await linesOf(office, page.items, unmaskedBecause === null);
  const there = page.items.slice(0, lines.length);
  if (unmaskedBecause !== null && lines.length > 0) {
    const details = { query: q, reason: unmaskedBecause, letters: there.map(({ id }) => id) };
    const entry = { at: search.now, actor, action: "letters.exported_unmasked", details };
    await recordAction(ledger, ledger.database, entry);
  }
  const last = there.at(-1);
  const isCut = there.length < page.items.length && last !== undefined;
  return { lines, next: isCut ? pageAfter(last, asked) : page.next };
}

/** Of as many as make a page: at least one, however long it is. */
async function linesOf(
  office: Office,
  items: readonly { readonly id: string }[],
  masked: boolean,
): Promise<readonly string[]> {
  const lines: string[] = [];
  let length = 0;
  for (const { id } of items) {
    const line = JSON.stringify(await written(office, await readLetter(office.ledger, id), masked));
    lines.push(line);
    length += line.length;
    if (length >= pageLength) break;
  }
  return lines;
}

async function written(office: Office, letter: WholeLetter, masked: boolean): Promise<unknown> {
  const { summary: s, sha256, key, messageKey, position } = letter;
  const { masking } = office;
  const shown = (headers: readonly Header[]) => (masked ? maskHeaders(headers, masking) : headers).map(writeHeader);
  const hidesKey = masked && messageKey !== null && (await hiddenIn(office, messageKey)) !== null;
  const { body, why } = await writtenBody(office, letter, { masked, hidesKey });
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
    body: { base64: body, sha256, bytes: s.sizeBytes, masked: why === "masked" || why === "not_text", why },
    attempts: s.attempts,
    failedAt: s.failedAt,
    arrivedAt: s.arrivedAt,
    expiresAt: s.expiresAt,
  };
}

/**
 * Why a body is not in its line: something in it must not leave, or may have to; it was never kept; its store lost it, or does not
 * answer now; or it does not fit.
 */
type Missing = "masked" | "not_text" | "not_kept" | "deleted" | "unavailable" | "too_large";

interface WrittenBody {
  readonly body: string | null;
  /** Null where it is there. */
  readonly why: Missing | null;
}

async function writtenBody(
  office: Office,
  letter: WholeLetter,
  { masked, hidesKey }: { readonly masked: boolean; readonly hidesKey: boolean },
): Promise<WrittenBody> {
  const found = await bodyOf(letter, office.bodies);
  if (found?.kind !== "here") return { body: null, why: found?.kind ?? "not_kept" };
  const body = found.bytes;
  if (body.byteLength > mostBodyBytes) return { body: null, why: "too_large" };
  // Without its key it would go somewhere else: then nothing of it is to be sent from there.
  const why = hidesKey ? "masked" : masked ? await hiddenIn(office, body) : null;
  return { body: why === null ? base64(body) : null, why };
}

/** Whether something in it must not leave; of what is no text nobody can say that it may. In steps: others wait meanwhile. */
async function hiddenIn({ masking, clock }: Office, bytes: Uint8Array): Promise<"masked" | "not_text" | null> {
  const text = textOf(bytes);
  if (text === null) return "not_text";
  const shown = await stepByStep(maskInSteps(text, masking), () => pause(clock, 0));
  return shown === text ? null : "masked";
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
