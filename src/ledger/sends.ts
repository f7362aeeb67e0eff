import type { Queries } from "../domain/database.ts";
import { idOfUuid, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";

/** A message a replay sent, or meant to. */
export interface Send {
  readonly letterId: Uint8Array;
  readonly source: string;
  readonly queue: string;
  readonly payloadSha256: Uint8Array;
}

/** Null: no replay sent that, whatever a message says of itself. */
export async function findSend(
  { at }: Ledger,
  queries: Queries,
  { replay, n }: { readonly replay: Uint8Array; readonly n: number },
): Promise<Send | null> {
  const { rows } = await queries.query<{
    letter_id: string;
    source: string;
    queue: string;
    payload_sha256: Uint8Array;
  }>(`select letter_id, source, queue, payload_sha256 from ${at}.sends where replay_id = $1 and n = $2`, [
    uuidOf(replay),
    n,
  ]);
  const row = rows[0];
  if (row === undefined) return null;
  const { letter_id: letterId, source, queue, payload_sha256: payloadSha256 } = row;
  return { letterId: idOfUuid(letterId), source, queue, payloadSha256 };
}
