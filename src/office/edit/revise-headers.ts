import { type HeaderChange, type HeaderRestored, withHeaderChanges } from "../../domain/header-changes.ts";
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

/** What somebody wants done with a header. */
export type AskedHeader = HeaderChange | HeaderRestored;

const mostHeaders = 100;

/** All that is other than what the letter came with, after these changes on top of those before; null: nothing is. */
export function reviseHeaders(
  letter: LetterHeaders,
  { before, asked }: { readonly before: readonly HeaderChange[] | null; readonly asked: readonly AskedHeader[] },
  masking: Masking,
): readonly HeaderChange[] | null {
  const came = byName(letter.headers);
  const changes = new Map((before ?? []).map((change) => [change.name, change]));
  requireOnce(asked);
  for (const change of asked) {
    requireSendable(change, letter);
    const [own, earlier] = [came.get(change.name) ?? [], changes.get(change.name)];
    const made = "restore" in change ? null : changeOf(change, own, earlier, masking);
    if (made === null) changes.delete(change.name);
    else changes.set(change.name, made);
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

/** What somebody should know of headers that change into these. */
export function headerFindings(
  changed: readonly ShownHeaderChange[],
  headers: readonly Header[],
  after: readonly HeaderChange[] | null,
): readonly string[] {
  const [came, now] = [byName(headers), withHeaderChanges(headers, after)];
  const written = new Set((after ?? []).flatMap(({ name, value }) => (value === null ? [] : [name])));
  return changed.flatMap(({ name }) => {
    const [lost, warning] = [written.has(name) ? lostOf(came.get(name) ?? []) : null, whyCareful(name)];
    const twin = written.has(name) ? twinOf(name, now) : null;
    return [
      ...(lost === null ? [] : [`${name} came ${lost}, and goes as one text.`]),
      ...(twin === null ? [] : [`${name} goes beside ${twin}: which of them counts is up to its consumer.`]),
      ...(warning === null ? [] : [`${name}: ${warning}`]),
    ];
  });
}

/** What a header loses that is written as text; null: nothing. */
function lostOf(own: readonly Header[]): string | null {
  if (own.length > 1) return `${own.length} times`;
  const type = own[0]?.value.type ?? "text";
  if (type === "text") return null;
  return type === "bytes" ? "as bytes" : `as ${type === "integer" ? "an" : "a"} ${type}`;
}

/** Another header that differs in capitals alone. */
function twinOf(name: string, now: readonly Header[]): string | null {
  const same = name.toLowerCase();
  return now.find((header) => header.name !== name && header.name.toLowerCase() === same)?.name ?? null;
}

function requireOnce(asked: readonly AskedHeader[]): void {
  const names = new Set<string>();
  for (const { name } of asked) {
    if (names.has(name))
      throw new EditRefused(
        "edit.header_invalid",
        `The header ${name} is named twice, and only one of them would hold.`,
      );
    names.add(name);
  }
}

function requireSendable(asked: AskedHeader, { strip }: LetterHeaders): void {
  requireName(asked.name, strip);
  if ("value" in asked && asked.value !== null) requireValue(asked.name, asked.value);
}

/** What is kept of it; null: it is as it came. */
function changeOf(
  change: HeaderChange,
  own: readonly Header[],
  earlier: HeaderChange | undefined,
  masking: Masking,
): HeaderChange | null {
  const { name, value } = change;
  if (value !== null && isHidden([...own, ...written(earlier)], masking))
    return { name, value, times: (earlier?.times ?? 0) + 1 };
  return isAsItCame(change, own) ? null : { name, value };
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
