import { uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";

/** A dead-letter queue that letters of a replay came from. */
export interface LetterPlace {
  readonly source: string;
  readonly deadLetters: string;
}

/** Where the letters of a replay were dead, and would be again. */
export async function findPlaces({ database, at }: Ledger, replay: Uint8Array): Promise<readonly LetterPlace[]> {
  const { rows } = await database.query<LetterPlace>(
    `select distinct i.source, l.drained_from as "deadLetters"
     from ${at}.replay_items i join ${at}.letters l on l.id = i.letter_id
     where i.replay_id = $1 and i.decision <> 'skip'`,
    [uuidOf(replay)],
  );
  return rows;
}
