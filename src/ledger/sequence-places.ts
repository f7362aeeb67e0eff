import type { Queries } from "../domain/database.ts";
import { decodeHeaders } from "../domain/header-codec.ts";
import { idOfUuid, uuidOf } from "../domain/ids.ts";
import { sequenceNumber } from "../domain/sequence-number.ts";
import { wire } from "../domain/wire.ts";
import type { Ledger } from "./ledger.ts";

/** A place of a message in the sequence of its key, as an ordered consumer gave it out. */
export interface SequencePlace {
  readonly source: string;
  /** The queue as its consumer names it. */
  readonly queue: string;
  readonly key: Uint8Array;
  readonly number: number;
}

export interface LetterPlace extends SequencePlace {
  readonly letter: Uint8Array;
}

/** Letters whose headers are read at once: with 60 KB each they are 12 MB. */
const atOnce = 200;

/**
 * The places that these letters have in the sequences of their keys: those they died with, here and whenever a replay of them
 * failed again. Letters without a key, or from a consumer that keeps no order, have none.
 */
export async function placesOfLetters(
  { at }: Ledger,
  queries: Queries,
  letters: readonly Uint8Array[],
): Promise<readonly LetterPlace[]> {
  const places = new Map<string, LetterPlace>();
  for (let start = 0; start < letters.length; start += atOnce)
    for (const row of await readHeaders(at, queries, letters.slice(start, start + atOnce))) {
      const number = sequenceNumber(decodeHeaders(row.headers), row.queue);
      const { id, source, queue, key } = row;
      if (number !== null) places.set(`${id} ${number}`, { letter: idOfUuid(id), source, queue, key, number });
    }
  return [...places.values()];
}

interface Row {
  readonly id: string;
  readonly source: string;
  readonly queue: string;
  readonly key: Uint8Array;
  readonly headers: Uint8Array;
}

/** Of most letters nothing is read: they have no key, or their headers do not hold the name. */
async function readHeaders(at: string, queries: Queries, letters: readonly Uint8Array[]): Promise<readonly Row[]> {
  const { rows } = await queries.query<Row>(
    `with wanted as (
       select l.id, l.source, l.queue, l.replays, b.message_key as key, b.headers from ${at}.letters l
       join ${at}.bodies b on b.letter_id = l.id and b.letter_id = any ($1::uuid[])
       where l.id = any ($1::uuid[]) and b.message_key is not null
     )
     select id, source, queue, key, headers from wanted where position($2::bytea in headers) > 0
     union all
     select w.id, w.source, w.queue, w.key, a.headers from wanted w
     join ${at}.attempts a on a.letter_id = w.id and a.letter_id = any ($1::uuid[]) and a.kind = 'returned'
     where w.replays > 0 and position($2::bytea in a.headers) > 0`,
    [letters.map(uuidOf), Buffer.from(JSON.stringify(wire.lane))],
  );
  return rows;
}
