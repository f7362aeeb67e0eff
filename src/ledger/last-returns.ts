import { decodeHeaders } from "../domain/header-codec.ts";
import { hexOf, idOfUuid, uuidOf } from "../domain/ids.ts";
import type { Header } from "../domain/message.ts";
import type { Ledger } from "./ledger.ts";

/** A message as it was when it died again. */
export interface LastReturn {
  readonly headers: readonly Header[];
  readonly properties: readonly Header[];
  /** Null where it was what had been sent. */
  readonly body: Uint8Array | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What came back last of these letters, by the letter's id in hexadecimal digits; most never came back. */
export async function readLastReturns(
  { database, at }: Ledger,
  ids: readonly Uint8Array[],
): Promise<ReadonlyMap<string, LastReturn>> {
  const { rows } = await database.query<{
    letter_id: string;
    headers: Uint8Array | null;
    properties: Uint8Array | null;
    body: Uint8Array | null;
    at: Date;
  }>(
    `select distinct on (a.letter_id) a.letter_id, a.headers, a.properties, a.body, a.at
     from ${at}.attempts a where a.letter_id = any ($1::uuid[]) and a.kind = 'returned' order by a.letter_id, a.n desc`,
    [ids.map(uuidOf)],
  );
  return new Map(
    rows.map(({ letter_id: letter, headers, properties, body, at: moment }) => [
      hexOf(idOfUuid(letter)),
      { headers: decodeHeaders(headers), properties: decodeHeaders(properties), body, at: moment.getTime() },
    ]),
  );
}
