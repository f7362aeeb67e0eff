import { readId, uuidOf } from "../../domain/ids.ts";
import { openStates } from "../../domain/letter.ts";
import type { Ledger } from "../ledger.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/** Something that letters have in common, and how many of them do. */
export interface AffectedName {
  readonly name: string;
  readonly n: number;
}

/** What of the world outside the open letters of a group concern: the first so many of each, and how many there are in all. */
export interface Affected {
  readonly keys: readonly AffectedName[];
  readonly distinctKeys: number;
  readonly tenants: readonly AffectedName[];
  readonly distinctTenants: number;
}

/** Those that most letters concern first. */
export async function affectedBy(ledger: Ledger, group: string, atMost: number): Promise<Affected> {
  const [keys, tenants] = await Promise.all(
    (["key", "tenant"] as const).map((column) => namesIn(ledger, { column, group, atMost })),
  );
  return {
    keys: keys?.names ?? [],
    distinctKeys: keys?.distinct ?? 0,
    tenants: tenants?.names ?? [],
    distinctTenants: tenants?.distinct ?? 0,
  };
}

interface NamesIn {
  readonly column: "key" | "tenant";
  readonly group: string;
  readonly atMost: number;
}

async function namesIn(ledger: Ledger, { column, group, atMost }: NamesIn) {
  const { database, at } = ledger;
  const parameters = new Parameters();
  const [id, states] = [parameters.add(uuidOf(readId("group", group))), parameters.add([...openStates])];
  const { rows } = await database.query<{ name: string; n: string; distinct_names: string }>(
    `select l.${column} as name, count(*) as n, count(*) over () as distinct_names from ${at}.letters l
     where l.group_id = ${id} and l.state = any (${states}::text[]) and l.${column} is not null
       and ${withinScope(ledger, parameters, "l")}
     group by 1 order by 2 desc, 1 limit ${parameters.add(atMost)}`,
    parameters.values,
  );
  const names = rows.map(({ name, n }): AffectedName => ({ name, n: Number(n) }));
  return { names, distinct: Number(rows[0]?.distinct_names ?? 0) };
}
