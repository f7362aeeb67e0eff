import { idOfUuid, idRange, showId, uuidOf } from "../../domain/ids.ts";
import type { Ledger } from "../ledger.ts";
import { isReplaySeen } from "../read-replay.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/** What people name by a part of its id. */
export type NamedKind = "letter" | "group" | "replay";

const tables: Readonly<
  Record<NamedKind, { readonly from: string; readonly isSeen: (ledger: Ledger, parameters: Parameters) => string }>
> = {
  letter: { from: "letters", isSeen: (ledger, parameters) => withinScope(ledger, parameters, "r") },
  group: { from: "groups", isSeen: (ledger, parameters) => withinScope(ledger, parameters, "r") },
  replay: { from: "replays", isSeen: isReplaySeen },
};

/** Ids of that kind that begin with these digits, up to `atMost`. They are found by their order, and not by looking at all. */
export async function findIds(
  ledger: Ledger,
  { kind, digits, atMost }: { readonly kind: NamedKind; readonly digits: string; readonly atMost: number },
): Promise<readonly string[]> {
  const { from, isSeen } = tables[kind];
  const { first, last } = idRange(digits);
  const parameters = new Parameters();
  const { rows } = await ledger.database.query<{ id: string }>(
    `select r.id from ${ledger.at}.${from} r
     where r.id between ${parameters.add(uuidOf(first))}::uuid and ${parameters.add(uuidOf(last))}::uuid
       and ${isSeen(ledger, parameters)}
     order by r.id limit ${parameters.add(atMost)}`,
    parameters.values,
  );
  return rows.map(({ id }) => showId(kind, idOfUuid(id)));
}
