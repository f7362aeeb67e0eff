import { OfficeError } from "../../domain/errors.ts";
import { idOfUuid, readId, showId, uuidOf } from "../../domain/ids.ts";
import type { Ledger } from "../ledger.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/** Letters by their ids. Seen through a scope, one that lies outside is one that is not there. */
export async function requireLetters(ledger: Ledger, letters: readonly string[]): Promise<readonly Uint8Array[]> {
  const ids = letters.map((letter) => readId("letter", letter));
  if (ledger.scope.length === 0) return ids;
  const parameters = new Parameters();
  const { rows } = await ledger.database.query<{ id: string }>(
    `select l.id from ${ledger.at}.letters l
     where l.id = any (${parameters.add(ids.map(uuidOf))}::uuid[]) and ${withinScope(ledger, parameters, "l")}`,
    parameters.values,
  );
  const seen = new Set(rows.map(({ id }) => showId("letter", idOfUuid(id))));
  const missing = letters.find((letter) => !seen.has(letter));
  if (missing === undefined) return ids;
  throw new OfficeError("LETTER_NOT_FOUND", `There is no letter ${missing}.`, { details: { id: missing } });
}
