import { createHash } from "node:crypto";
import type { Category } from "../../domain/classification.ts";
import { OfficeError } from "../../domain/errors.ts";
import { idOfUuid, readId, showId, uuidOf } from "../../domain/ids.ts";
import type { LetterState } from "../../domain/letter.ts";
import type { LetterSort } from "../../domain/letter-columns.ts";
import { maskText } from "../../domain/redaction.ts";
import type { Ledger } from "../ledger.ts";
import { Parameters } from "./parameters.ts";
import { type Search, searchCondition } from "./search-condition.ts";

export interface LetterSearch extends Search {
  readonly sort: LetterSort;
  readonly limit: number;
  /** Where the page before ended; null for the first. */
  readonly after: string | null;
}

/** What lists show of a letter. */
export interface LetterSummary {
  readonly id: string;
  readonly source: string;
  readonly broker: string;
  readonly queue: string;
  readonly drainedFrom: string;
  readonly state: LetterState;
  readonly category: Category;
  readonly was: Category;
  readonly confidence: number;
  readonly rule: string;
  readonly sideEffect: string;
  readonly group: string;
  readonly errorClass: string | null;
  readonly errorMessage: string | null;
  readonly errorCode: string | null;
  readonly attempts: number | null;
  readonly replays: number;
  readonly firstFailedAt: string | null;
  readonly failedAt: string;
  /** When its own time to live is over; null where it has none. */
  readonly expiresAt: string | null;
  readonly failedAtBy: "letter" | "broker" | "arrival";
  readonly arrivedAt: string;
  readonly sizeBytes: number;
  readonly type: string | null;
  readonly key: string | null;
  readonly orderKey: string | null;
  readonly tenant: string | null;
  readonly trace: string | null;
  readonly consumer: string | null;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** For `after`; null on the last page. */
  readonly next: string | null;
}

/** One page of the letters that match. Pages go by the last letter seen: nothing is skipped or shown twice meanwhile. */
export async function findLetters(ledger: Ledger, search: LetterSearch): Promise<Page<LetterSummary>> {
  const { sort, limit, after } = search;
  const parameters = new Parameters();
  const { where } = await searchCondition(ledger, search, parameters);
  const order = orders[sort];
  const from = after === null ? "" : `and ${order.behind(readPlace(after, search), parameters)}`;
  const { rows } = await ledger.database.query<LetterRow>(
    `select ${summaryColumns} from ${ledger.at}.letters l where ${where} ${from}
     order by ${order.by} limit ${parameters.add(limit + 1)}`,
    parameters.values,
  );
  const items = rows.slice(0, limit).map(summaryOf);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? pageAfter(last, search) : null };
}

interface Order {
  readonly by: string;
  /** What comes after a letter. */
  readonly behind: (place: Place, parameters: Parameters) => string;
}

/** By id, which begins with the time of arrival, or by the time of failure: an index has both. */
const orders: Readonly<Record<LetterSort, Order>> = {
  "-arrived": { by: "l.id desc", behind: ({ id }, parameters) => `l.id < ${parameters.add(id)}::uuid` },
  arrived: { by: "l.id", behind: ({ id }, parameters) => `l.id > ${parameters.add(id)}::uuid` },
  "-age": { by: "l.failed_at, l.id", behind: behindFailure(">") },
  age: { by: "l.failed_at desc, l.id desc", behind: behindFailure("<") },
};

function behindFailure(comparison: "<" | ">"): Order["behind"] {
  return ({ id, failedAt }, parameters) =>
    `(l.failed_at, l.id) ${comparison} (${parameters.add(failedAt)}::timestamptz, ${parameters.add(id)}::uuid)`;
}

export interface StatesSearch {
  readonly states: readonly LetterState[];
  readonly atMost: number;
  /** What comes while somebody goes through the pages is in none of them. @default false: oldest first */
  readonly newestFirst?: boolean;
  /** The oldest of the pages so far. @default from the newest on */
  readonly before?: Uint8Array | null;
}

/** Ids of all that match and are in one of these states, up to `atMost`. */
export async function findInStates(
  ledger: Ledger,
  search: Search,
  { states, atMost, newestFirst = false, before = null }: StatesSearch,
): Promise<readonly Uint8Array[]> {
  const parameters = new Parameters();
  const { where } = await searchCondition(ledger, search, parameters);
  const from = before === null ? "" : `and l.id < ${parameters.add(uuidOf(before))}::uuid`;
  const { rows } = await ledger.database.query<{ id: string }>(
    `select l.id from ${ledger.at}.letters l
     where ${where} ${from} and l.state = any (${parameters.add(states)}::text[])
     order by l.id ${newestFirst ? "desc" : "asc"} limit ${parameters.add(atMost)}`,
    parameters.values,
  );
  return rows.map(({ id }) => idOfUuid(id));
}

/** How many match, up to `atMost`: counting all of a million would take longer than anybody waits. */
export async function countLetters(ledger: Ledger, search: Search, atMost: number): Promise<number> {
  const parameters = new Parameters();
  const { where } = await searchCondition(ledger, search, parameters);
  const { rows } = await ledger.database.query<{ n: string }>(
    `select count(*) as n from (select from ${ledger.at}.letters l where ${where} limit ${parameters.add(atMost)}) found`,
    parameters.values,
  );
  return Number(rows[0]?.n);
}

/** Where a page ended. */
interface Place {
  /** As a UUID. */
  readonly id: string;
  /** As it was then: a letter that fails once more meanwhile must not take the rest of the pages along. */
  readonly failedAt: string;
}

/** For `after`: the page behind that letter. Bound to the search, so that a page of another one cannot be asked for by mistake. */
export function pageAfter({ id, failedAt }: LetterSummary, search: LetterSearch): string {
  return Buffer.from(JSON.stringify([searchName(search), id, failedAt])).toString("base64url");
}

function readPlace(after: string, search: LetterSearch): Place {
  try {
    const [name, id, failedAt] = JSON.parse(Buffer.from(after, "base64url").toString()) as readonly unknown[];
    if (name === searchName(search) && typeof id === "string" && typeof failedAt === "string")
      return { id: uuidOf(readId("letter", id)), failedAt: new Date(failedAt).toISOString() };
  } catch {
    // Whatever it was, it is none of ours.
  }
  throw new OfficeError(
    "PAGE_MISMATCH",
    "This page belongs to another search or order. Start from the first page again.",
  );
}

function searchName({ q, sort }: LetterSearch): string {
  return createHash("sha256")
    .update(JSON.stringify([q, sort]))
    .digest("base64url")
    .slice(0, 12);
}

export const summaryColumns = `l.id, l.source, l.broker, l.queue, l.drained_from, l.state, l.category, l.was, l.confidence, l.rule,
  l.side_effect, l.group_id, l.error_class, l.error_message, l.error_code, l.attempts, l.replays, l.first_failed_at,
  l.failed_at, l.failed_at_by, l.arrived_at, l.size_bytes, l.type, l.key, l.order_key, l.tenant, l.trace, l.consumer, l.expires_at`;

export interface LetterRow {
  readonly id: string;
  readonly source: string;
  readonly broker: string;
  readonly queue: string;
  readonly drained_from: string;
  readonly state: LetterState;
  readonly category: Category;
  readonly was: Category;
  readonly confidence: number;
  readonly rule: string;
  readonly side_effect: string;
  readonly group_id: string;
  readonly error_class: string | null;
  readonly error_message: string | null;
  readonly error_code: string | null;
  readonly attempts: number | null;
  readonly replays: number;
  readonly first_failed_at: Date | null;
  readonly failed_at: Date;
  readonly expires_at: Date | null;
  readonly failed_at_by: "letter" | "broker" | "arrival";
  readonly arrived_at: Date;
  readonly size_bytes: number;
  readonly type: string | null;
  readonly key: string | null;
  readonly order_key: string | null;
  readonly tenant: string | null;
  readonly trace: string | null;
  readonly consumer: string | null;
}

export function summaryOf(row: LetterRow): LetterSummary {
  return {
    id: showId("letter", idOfUuid(row.id)),
    source: row.source,
    broker: row.broker,
    queue: row.queue,
    drainedFrom: row.drained_from,
    state: row.state,
    category: row.category,
    was: row.was,
    // A real has six digits; the rest would be noise of the conversion.
    confidence: Number(row.confidence.toFixed(4)),
    rule: row.rule,
    sideEffect: row.side_effect,
    group: showId("group", idOfUuid(row.group_id)),
    errorClass: row.error_class,
    errorMessage: row.error_message,
    errorCode: row.error_code,
    attempts: row.attempts,
    replays: row.replays,
    firstFailedAt: row.first_failed_at?.toISOString() ?? null,
    failedAt: row.failed_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    failedAtBy: row.failed_at_by,
    arrivedAt: row.arrived_at.toISOString(),
    sizeBytes: row.size_bytes,
    type: row.type,
    key: row.key,
    // Letters wait for each other by it, so it is kept as it came.
    orderKey: row.order_key === null ? null : maskText(row.order_key),
    tenant: row.tenant,
    trace: row.trace,
    consumer: row.consumer,
  };
}
