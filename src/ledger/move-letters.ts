import type { Queries } from "../domain/database.ts";
import { idOfUuid, uuidOf } from "../domain/ids.ts";
import type { LetterState } from "../domain/letter.ts";
import type { Ledger } from "./ledger.ts";

export interface LetterMove {
  readonly ids: readonly Uint8Array[];
  readonly from: readonly LetterState[];
  readonly to: LetterState;
}

/** Moves letters that are in one of these states; gives those it moved. Whoever came first has the others. */
export async function moveLetters(
  { at }: Ledger,
  queries: Queries,
  { ids, from, to }: LetterMove,
): Promise<readonly Uint8Array[]> {
  const { rows } = await queries.query<{ id: string }>(
    `select unnest(${at}.move_letters($1::uuid[], $2::text[], $3)) as id`,
    [ids.map(uuidOf), from, to],
  );
  return rows.map(({ id }) => idOfUuid(id));
}
