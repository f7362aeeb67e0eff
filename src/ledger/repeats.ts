import type { Queries } from "../domain/database.ts";
import { hexOf, idOfUuid, uuidOf } from "../domain/ids.ts";
import { isAdopted } from "../domain/send-id.ts";
import { failureKey, keyText, takeNames } from "./failure-names.ts";
import type { Ledger } from "./ledger.ts";
import type { NewLetter } from "./new-letter.ts";

/** Which of new dead letters are one failure with a letter that is there. */
export interface FoundRepeats {
  /** Those that are: the letter that each is kept as. */
  readonly known: ReadonlyMap<NewLetter, Uint8Array>;
  /** Those that probably are: the letter of which each may be a second copy. */
  readonly probable: ReadonlyMap<NewLetter, Uint8Array>;
}

/** Equal letters that failed further apart are more likely to be two. In milliseconds. */
const alikeWithinMs = 3_600_000;

/**
 * A consumer of ours names each failure, so that a second copy is known for certain. Of others, and of messages that others sent,
 * letters of one message id, body, queue and attempt are alike. Notes what later letters are told by.
 */
export async function findRepeats(
  ledger: Ledger,
  transaction: Queries,
  letters: readonly NewLetter[],
): Promise<FoundRepeats> {
  const named = keyed(letters, failureKey);
  const certain = await namedRepeats(ledger, transaction, named);
  const uncertain = letters.filter(
    (letter) => (letter.trail.failure === null || isAdopted(letter.trail.failure)) && !certain.known.has(letter),
  );
  const alike = await alikeRepeats(ledger, transaction, keyed(uncertain, alikeKey));
  return { known: certain.known, probable: new Map([...certain.probable, ...alike]) };
}

interface LetterKey {
  readonly letter: NewLetter;
  readonly key: string;
}

function keyed(letters: readonly NewLetter[], keyOf: (letter: NewLetter) => string | null): readonly LetterKey[] {
  return letters.flatMap((letter) => {
    const key = keyOf(letter);
    return key === null ? [] : [{ letter, key }];
  });
}

function alikeKey({ source, queue, attempts, trail }: NewLetter): string | null {
  const { names, payloadSha256, hasOwnPlace = false } = trail;
  const id = names.find((name) => name.startsWith("id "));
  if (id === undefined || payloadSha256 === null || hasOwnPlace) return null;
  return keyText(["alike", source, queue, id, hexOf(payloadSha256), attempts]);
}

async function namedRepeats(ledger: Ledger, transaction: Queries, all: readonly LetterKey[]): Promise<FoundRepeats> {
  const known = new Map<NewLetter, Uint8Array>();
  const probable = new Map<NewLetter, Uint8Array>();
  const firsts = new Map<string, NewLetter>();
  for (const { letter, key } of all) if (!firsts.has(key)) firsts.set(key, letter);
  const names = [...firsts].map(([key, { id, times }]) => ({ key, letter: id, failedAt: times.failedAt }));
  const taken = await takeNames(ledger, transaction, names);
  const newer: LetterKey[] = [];
  for (const [key, letter] of firsts) {
    const before = taken.get(key);
    if (before === undefined) continue;
    const isSame = before.isOpen && before.sha256 !== null && before.sha256 === shaOf(letter);
    // What was decided about the first stands: a copy of it that comes so late is for a person to judge.
    (isSame ? known : probable).set(letter, before.letter);
    if (!isSame) newer.push({ letter, key });
  }
  await renameFailures(ledger, transaction, newer);
  for (const { letter, key } of all) {
    const first = firsts.get(key);
    if (first !== undefined && first !== letter) known.set(letter, known.get(first) ?? first.id);
  }
  return { known, probable };
}

/** The next copy is one of the letter that is open now. */
async function renameFailures({ at }: Ledger, transaction: Queries, newer: readonly LetterKey[]): Promise<void> {
  if (newer.length === 0) return;
  await transaction.query(
    `update ${at}.failure_keys k set letter_id = w.l, failed_at = to_timestamp(w.f)
     from unnest($1::text[], $2::uuid[], $3::float8[]) as w (k, l, f) where k.is_named and k.key = decode(w.k, 'hex')`,
    rowsOf(newer),
  );
}

async function alikeRepeats(
  { at }: Ledger,
  transaction: Queries,
  all: readonly LetterKey[],
): Promise<ReadonlyMap<NewLetter, Uint8Array>> {
  const probable = new Map<NewLetter, Uint8Array>();
  if (all.length === 0) return probable;
  const { rows } = await transaction.query<{ key: string; letter_id: string; failed_at: number }>(
    `select w.k as key, a.letter_id, (extract(epoch from a.failed_at) * 1000)::float8 as failed_at
     from unnest($1::text[], $2::float8[]) as w (k, f)
     join ${at}.failure_keys a on not a.is_named and a.key = decode(w.k, 'hex')
       and a.failed_at between to_timestamp(w.f - $3) and to_timestamp(w.f + $3)
     order by a.failed_at`,
    [all.map(({ key }) => key), all.map(({ letter }) => letter.times.failedAt / 1_000), alikeWithinMs / 1_000],
  );
  const seen = new Map<string, { readonly id: Uint8Array; readonly failedAt: number }[]>();
  for (const row of rows) pushTo(seen, row.key, { id: idOfUuid(row.letter_id), failedAt: row.failed_at });
  for (const { letter, key } of all) {
    const { failedAt } = letter.times;
    const first = seen.get(key)?.find((each) => Math.abs(each.failedAt - failedAt) <= alikeWithinMs);
    if (first !== undefined) probable.set(letter, first.id);
    pushTo(seen, key, { id: letter.id, failedAt });
  }
  await transaction.query(
    `insert into ${at}.failure_keys (key, letter_id, failed_at, is_named)
     select decode(k, 'hex'), l, to_timestamp(f), false from unnest($1::text[], $2::uuid[], $3::float8[]) as w (k, l, f)`,
    rowsOf(all),
  );
  return probable;
}

function pushTo<Entry>(lists: Map<string, Entry[]>, key: string, entry: Entry): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [entry]);
  else list.push(entry);
}

function rowsOf(all: readonly LetterKey[]): [string[], string[], number[]] {
  return [
    all.map(({ key }) => key),
    all.map(({ letter }) => uuidOf(letter.id)),
    all.map(({ letter }) => letter.times.failedAt / 1_000),
  ];
}

function shaOf({ content: { sha256 } }: NewLetter): string | null {
  return sha256 === null ? null : hexOf(sha256);
}

/** Writes down what was found, in the transaction that holds the others. */
export async function noteRepeats(
  { at }: Ledger,
  transaction: Queries,
  { known, probable }: FoundRepeats,
): Promise<void> {
  if (known.size > 0) {
    const copies = [...known];
    await transaction.query(
      `insert into ${at}.repeated_failures (letter_id, at, failed_at, drained_from, position)
       select * from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::text[], $5::text[])`,
      [
        copies.map(([, id]) => uuidOf(id)),
        copies.map(([{ times }]) => new Date(times.arrivedAt)),
        copies.map(([{ times }]) => new Date(times.failedAt)),
        copies.map(([{ drainedFrom }]) => drainedFrom),
        copies.map(([{ content }]) => content.position),
      ],
    );
  }
  if (probable.size > 0) {
    await transaction.query(
      `insert into ${at}.probable_repeats (letter_id, of_letter) select * from unnest($1::uuid[], $2::uuid[])`,
      [[...probable.keys()].map(({ id }) => uuidOf(id)), [...probable.values()].map(uuidOf)],
    );
  }
}

/** Of those that are probably the same failure as another letter: which, by their ids in hexadecimal digits. */
export async function probableRepeats(
  { database, at }: Ledger,
  ids: readonly Uint8Array[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { rows } = await database.query<{ letter_id: string; of_letter: string }>(
    `select letter_id, of_letter from ${at}.probable_repeats where letter_id = any ($1::uuid[])`,
    [ids.map(uuidOf)],
  );
  return new Map(rows.map((row) => [hexOf(idOfUuid(row.letter_id)), idOfUuid(row.of_letter)]));
}

/** A dead letter that was kept as a letter that was there. Times are ISO 8601. */
export interface RepeatedFailure {
  readonly at: string;
  readonly failedAt: string;
  readonly drainedFrom: string;
  readonly position: string | null;
}

export async function repeatedFailures(
  { database, at }: Ledger,
  letter: Uint8Array,
): Promise<readonly RepeatedFailure[]> {
  const { rows } = await database.query<{ at: Date; failed_at: Date; drained_from: string; position: string | null }>(
    `select at, failed_at, drained_from, position from ${at}.repeated_failures where letter_id = $1 order by at limit 20`,
    [uuidOf(letter)],
  );
  return rows.map((row) => ({
    at: row.at.toISOString(),
    failedAt: row.failed_at.toISOString(),
    ...{ drainedFrom: row.drained_from, position: row.position },
  }));
}

/** This letter is about to lie in its queue again: what is drained from there from now on is no second copy of it. */
export async function partFromFailure({ at }: Ledger, transaction: Queries, letter: Uint8Array): Promise<void> {
  await transaction.query(`delete from ${at}.failure_keys where letter_id = $1`, [uuidOf(letter)]);
}
