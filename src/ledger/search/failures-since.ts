import { idOfUuid, showId } from "../../domain/ids.ts";
import { foldCounters } from "../fold-counters.ts";
import type { Ledger } from "../ledger.ts";
import { readGroupNames } from "./group-names.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/** How many letters of each group failed since the beginning of an hour; by the group's id, that of merged ones theirs. */
export async function failuresSince(ledger: Ledger, sinceHour: number): Promise<ReadonlyMap<string, number>> {
  const { database, at } = ledger;
  await foldCounters(ledger);
  const names = await readGroupNames(ledger);
  const parameters = new Parameters();
  const { rows } = await database.query<{ group_id: string; n: string }>(
    `select h.group_id, sum(h.n) as n from ${at}.group_hours h join ${at}.groups g on g.id = h.group_id
     where h.hour >= ${parameters.add(new Date(sinceHour).toISOString())}::timestamptz
       and ${withinScope(ledger, parameters, "g")} group by 1`,
    parameters.values,
  );
  const failed = new Map<string, number>();
  for (const { group_id: group, n } of rows) {
    const id = showId("group", idOfUuid(names.standing(group)));
    failed.set(id, (failed.get(id) ?? 0) + Number(n));
  }
  return failed;
}
