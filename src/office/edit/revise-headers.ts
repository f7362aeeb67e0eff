import { type HeaderChange, withHeaderChanges } from "../../domain/header-changes.ts";
import { type Header, textHeader } from "../../domain/message.ts";
import { type Masking, maskHeaders } from "../../domain/redaction.ts";
import { showHeaderValue } from "../../domain/show-header.ts";
import { EditRefused } from "./edit-refused.ts";
import { requireName, requireValue, whyCareful, whyLocked } from "./header-rules.ts";

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

const mostHeaders = 100;

/** All that is other than what the letter came with, after these changes on top of those before; null: nothing is. */
export function reviseHeaders(
  letter: LetterHeaders,
  { before, asked }: { readonly before: readonly HeaderChange[] | null; readonly asked: readonly HeaderChange[] },
  masking: Masking,
): readonly HeaderChange[] | null {
  const came = byName(letter.headers);
  const changes = new Map((before ?? []).map((change) => [change.name, change]));
  for (const change of asked) {
    requireSendable(change, letter);
    const { name, value } = change;
    const [own, earlier] = [came.get(name) ?? [], changes.get(name)];
    if (value !== null && isHidden([...own, ...written(earlier)], masking))
      changes.set(name, { name, value, times: (earlier?.times ?? 0) + 1 });
    else if (isAsItCame(change, own)) changes.delete(name);
    else changes.set(name, { name, value });
  }
  if (changes.size > mostHeaders)
    throw new EditRefused(
      "edit.header_invalid",
      `It would change ${changes.size} headers; ${mostHeaders} can be edited.`,
    );
  return changes.size === 0 ? null : [...changes.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Every header it came with, or would go with, and whether it can be edited. */
export function draftHeaders(
  letter: LetterHeaders,
  changes: readonly HeaderChange[] | null,
  masking: Masking,
): readonly DraftHeader[] {
  const [came, now] = [byName(letter.headers), byName(withHeaderChanges(letter.headers, changes))];
  return [...new Set([...came.keys(), ...now.keys()])].map((name) => ({
    ...{ name, came: shownOf(came.get(name), masking), value: shownOf(now.get(name), masking) },
    ...{ locked: whyLocked(name, letter.strip), careful: whyCareful(name) },
  }));
}

/** What differs between two revisions of a letter's headers. */
export function showHeaderChanges(
  headers: readonly Header[],
  { before, after }: Readonly<Record<"before" | "after", readonly HeaderChange[] | null>>,
  masking: Masking,
): readonly ShownHeaderChange[] {
  const [old, fresh] = [byName(withHeaderChanges(headers, before)), byName(withHeaderChanges(headers, after))];
  // What neither names is in both as it came.
  const names = new Set([...(before ?? []), ...(after ?? [])].map(({ name }) => name));
  return [...names].toSorted().flatMap((name) => {
    const [was, is] = [old.get(name), fresh.get(name)];
    const isWritten = timesOf(before, name) !== timesOf(after, name);
    return isAlike(was, is) && !isWritten ? [] : [{ name, before: shownOf(was, masking), after: shownOf(is, masking) }];
  });
}

/** What somebody should know of headers that change. */
export function headerFindings(changed: readonly ShownHeaderChange[], headers: readonly Header[]): readonly string[] {
  return changed.flatMap(({ name, after }) => {
    const was = headers.find((header) => header.name === name)?.value.type ?? "text";
    const isTyped = after !== null && was !== "text" && was !== "bytes";
    const warning = whyCareful(name);
    return [
      ...(isTyped ? [`${name} came as ${was === "integer" ? "an" : "a"} ${was}, and goes as text.`] : []),
      ...(warning === null ? [] : [`${name}: ${warning}`]),
    ];
  });
}

function requireSendable({ name, value }: HeaderChange, { strip }: LetterHeaders): void {
  requireName(name, strip);
  if (value !== null) requireValue(name, value);
}

/** Whether people are shown something else than what stands there. */
function isHidden(own: readonly Header[], masking: Masking): boolean {
  return !isAlike(own, maskHeaders(own, masking));
}

function written(change: HeaderChange | undefined): readonly Header[] {
  return typeof change?.value === "string" ? [textHeader(change.name, change.value)] : [];
}

function timesOf(changes: readonly HeaderChange[] | null, name: string): number {
  return changes?.find((change) => change.name === name)?.times ?? 0;
}

/** So that going back to what it was leaves the very bytes it came with. */
function isAsItCame({ value }: HeaderChange, own: readonly Header[]): boolean {
  if (value === null || own.length !== 1) return value === null && own.length === 0;
  return own[0]?.value.type === "text" && own[0].value.value === value;
}

function isAlike(old: readonly Header[] | undefined, fresh: readonly Header[] | undefined): boolean {
  const valuesOf = (headers: readonly Header[] = []) =>
    JSON.stringify(headers.map(({ value }) => [value.type, showHeaderValue(value)]));
  return valuesOf(old) === valuesOf(fresh);
}

/** Each name once: whoever can send decides how many headers there are, and looking through all for each takes too long. */
function byName(headers: readonly Header[]): ReadonlyMap<string, readonly Header[]> {
  const named = new Map<string, Header[]>();
  for (const header of headers) {
    const own = named.get(header.name);
    if (own === undefined) named.set(header.name, [header]);
    else own.push(header);
  }
  return named;
}

function shownOf(own: readonly Header[] | undefined, masking: Masking): string | null {
  return own === undefined
    ? null
    : maskHeaders(own, masking)
        .map(({ value }) => showHeaderValue(value))
        .join(", ");
}
