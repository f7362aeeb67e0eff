import type { Queries } from "../domain/database.ts";
import { hexOf, idOfUuid, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import type { NewLetter } from "./new-letter.ts";
import { sha256Of } from "./sha256.ts";

/** A failure that its consumer named, and the letter that it is of. */
export interface NamedFailure {
  /** As `failureKey` gives it. */
  readonly key: string;
  readonly letter: Uint8Array;
  /** Milliseconds since 1970. */
  readonly failedAt: number;
}

/** The letter that has a name already. */
export interface NamedLetter {
  readonly letter: Uint8Array;
  /** Nothing was decided about it so far. */
  readonly isOpen: boolean;
  /** Of its body, in hexadecimal digits; null where there is none any more. */
  readonly sha256: string | null;
}

/** A key of fixed length, in hexadecimal digits. */
export function keyText(parts: readonly unknown[]): string {
  return hexOf(sha256Of(Buffer.from(JSON.stringify(parts))));
}

/** Null where its consumer named no failure. */
export function failureKey({ source, trail: { failure } }: NewLetter): string | null {
  return failure === null ? null : keyText(["failure", source, failure]);
}

interface NamedRow {
  readonly key: string;
  readonly letter_id: string;
  readonly is_open: boolean;
  readonly sha256: string | null;
}

/** Notes the names that are new; gives those that letters have already. Sorted, so that two who do this at once wait in one order. */
export async function takeNames(
  { at }: Ledger,
  transaction: Queries,
  names: readonly NamedFailure[],
): Promise<ReadonlyMap<string, NamedLetter>> {
  if (names.length === 0) return new Map();
  const sorted = names.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const keys = sorted.map(({ key }) => key);
  const { rows: added } = await transaction.query<{ key: string }>(
    `insert into ${at}.failure_keys (key, letter_id, failed_at, is_named)
     select decode(k, 'hex'), l, to_timestamp(f), true from unnest($1::text[], $2::uuid[], $3::float8[]) as w (k, l, f)
     on conflict (key) where is_named do nothing returning encode(key, 'hex') as key`,
    [keys, sorted.map(({ letter }) => uuidOf(letter)), sorted.map(({ failedAt }) => failedAt / 1_000)],
  );
  if (added.length === sorted.length) return new Map();
  const news = new Set(added.map(({ key }) => key));
  const { rows } = await transaction.query<NamedRow>(
    `select encode(k.key, 'hex') as key, k.letter_id, coalesce(l.state in ('open', 'returned'), false) as is_open,
       encode(b.sha256, 'hex') as sha256
     from ${at}.failure_keys k
     left join ${at}.letters l on l.id = k.letter_id
     left join ${at}.bodies b on b.letter_id = k.letter_id
     where k.is_named and k.key = any (select decode(h, 'hex') from unnest($1::text[]) as h)`,
    [keys.filter((key) => !news.has(key))],
  );
  return new Map(
    rows.map((row) => [row.key, { letter: idOfUuid(row.letter_id), isOpen: row.is_open, sha256: row.sha256 }]),
  );
}
