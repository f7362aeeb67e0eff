import { type HeaderChange, withHeaderChanges } from "../../domain/header-changes.ts";
import type { Header } from "../../domain/message.ts";
import { type Masking, mask, maskHeaders } from "../../domain/redaction.ts";
import { showHeaderValue } from "../../domain/show-header.ts";
import { EditRefused } from "./edit-refused.ts";

/** The headers a letter came with, and which of them no replay sends. */
export interface LetterHeaders {
  readonly headers: readonly Header[];
  /** Marks of its failure, by the names its dialect has for them. */
  readonly strip: readonly string[];
}

/** A header as an edit begins: what it came with and goes with, masked. */
export interface DraftHeader {
  readonly name: string;
  /** What it came with; null: nothing. */
  readonly came: string | null;
  /** What it would go with now; null: nothing. */
  readonly value: string | null;
  /** Why it cannot be edited; null: it can. */
  readonly locked: string | null;
  /** What somebody should know before it is edited. */
  readonly careful: string | null;
}

/** A header that an edit changes, masked; null: it is not there. */
export interface ShownHeaderChange {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

const tracing = new Set(["traceparent", "tracestate", "baggage", "b3", "uber-trace-id", "x-amzn-trace-id"]);

const careful: Readonly<Record<string, string>> = {
  "idempotency-key": "Its consumer tells by it whether it has done this before: with another one it may be done twice.",
  "nats-msg-id": "NATS drops what it has seen under this id before.",
  "content-type": "Its consumer decodes the body by it.",
  "content-encoding": "Its consumer decodes the body by it.",
  "correlation-id": "Whoever waits for an answer knows it by this.",
  "reply-to": "The answer goes there.",
};

const longestName = 256;
const longestValue = 8_192;
const mostHeaders = 100;

/** All that is other than what the letter came with, after these changes on top of those before; null: nothing is. */
export function reviseHeaders(
  letter: LetterHeaders,
  before: readonly HeaderChange[] | null,
  asked: readonly HeaderChange[],
): readonly HeaderChange[] | null {
  for (const change of asked) requireSendable(change, letter);
  const all = new Map([...(before ?? []), ...asked].map((change) => [change.name, change]));
  const real = [...all.values()].filter((change) => !isAsItCame(change, letter.headers));
  if (real.length > mostHeaders)
    throw new EditRefused(
      "edit.header_invalid",
      `It would change ${real.length} headers; ${mostHeaders} can be edited.`,
    );
  return real.length === 0 ? null : real.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Every header it came with, or would go with, and whether it can be edited. */
export function draftHeaders(
  letter: LetterHeaders,
  changes: readonly HeaderChange[] | null,
  masking: Masking,
): readonly DraftHeader[] {
  const now = withHeaderChanges(letter.headers, changes);
  return namesOf([...letter.headers, ...now]).map((name) => ({
    ...{ name, came: shownOf(letter.headers, name, masking), value: shownOf(now, name, masking) },
    ...{ locked: whyLocked(name, letter.strip), careful: careful[name.toLowerCase()] ?? null },
  }));
}

/** What differs between two revisions of a letter's headers. */
export function showHeaderChanges(
  headers: readonly Header[],
  { before, after }: Readonly<Record<"before" | "after", readonly HeaderChange[] | null>>,
  masking: Masking,
): readonly ShownHeaderChange[] {
  const [old, fresh] = [withHeaderChanges(headers, before), withHeaderChanges(headers, after)];
  return namesOf([...old, ...fresh].filter(({ name }) => !isAlike(old, fresh, name))).map((name) => ({
    ...{ name, before: shownOf(old, name, masking), after: shownOf(fresh, name, masking) },
  }));
}

/** What somebody should know of headers that change. */
export function headerFindings(changed: readonly ShownHeaderChange[], headers: readonly Header[]): readonly string[] {
  return changed.flatMap(({ name, after }) => {
    const was = headers.find((header) => header.name === name)?.value.type ?? "text";
    const isTyped = after !== null && was !== "text" && was !== "bytes";
    const warning = careful[name.toLowerCase()];
    return [
      ...(isTyped ? [`${name} came as ${was === "integer" ? "an" : "a"} ${was}, and goes as text.`] : []),
      ...(warning === undefined ? [] : [`${name}: ${warning}`]),
    ];
  });
}

/** Why a header is not for people to edit; null where it is. */
function whyLocked(name: string, strip: readonly string[]): string | null {
  if (name.toLowerCase().startsWith("dlo-")) return "It is the office's own: it says which message this is.";
  if (strip.includes(name)) return "It is a mark of the failure, which a replay takes off.";
  return tracing.has(name.toLowerCase()) ? "It ties the message to its trace." : null;
}

function requireSendable({ name, value }: HeaderChange, { strip }: LetterHeaders): void {
  const locked = whyLocked(name, strip);
  if (locked !== null) throw new EditRefused("edit.header_locked", `The header ${name} cannot be edited. ${locked}`);
  // Some protocols end a header at the end of its line: what follows would be read as another one.
  if (name.trim() !== name || name === "" || name.length > longestName || hasControls(name))
    throw new EditRefused(
      "edit.header_invalid",
      `A header's name is one line of 1 to ${longestName} characters, without spaces around it.`,
    );
  if (value === null) return;
  if (value.includes(mask))
    throw new EditRefused(
      "edit.mask_sent",
      `The mask ${mask} in ${name} would be sent as it stands there. Write the value itself.`,
    );
  if (hasControls(value) || new TextEncoder().encode(value).byteLength > longestValue)
    throw new EditRefused(
      "edit.header_invalid",
      `The value of ${name} must be one line of at most ${longestValue} bytes.`,
    );
}

function hasControls(text: string): boolean {
  return /[\p{Cc}\p{Cs}]/u.test(text);
}

/** So that going back to what it was leaves the very bytes it came with. */
function isAsItCame({ name, value }: HeaderChange, headers: readonly Header[]): boolean {
  const own = headers.filter((header) => header.name === name);
  if (value === null || own.length !== 1) return value === null && own.length === 0;
  return own[0]?.value.type === "text" && own[0].value.value === value;
}

function isAlike(old: readonly Header[], fresh: readonly Header[], name: string): boolean {
  const valuesOf = (headers: readonly Header[]) =>
    JSON.stringify(
      headers.flatMap((each) => (each.name === name ? [[each.value.type, showHeaderValue(each.value)]] : [])),
    );
  return valuesOf(old) === valuesOf(fresh);
}

function namesOf(headers: readonly Header[]): readonly string[] {
  return [...new Set(headers.map(({ name }) => name))];
}

function shownOf(headers: readonly Header[], name: string, masking: Masking): string | null {
  const own = maskHeaders(headers, masking).filter((header) => header.name === name);
  return own.length === 0 ? null : own.map(({ value }) => showHeaderValue(value)).join(", ");
}
