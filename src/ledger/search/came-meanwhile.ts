import { uuidOf } from "../../domain/ids.ts";
import type { Ledger } from "../ledger.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/**
 * Whether `letters l` came into the groups of a replay between its start and its end. What it sent itself is not among them: a letter
 * that comes back is the letter it was, and arrived before.
 */
export function cameMeanwhile(at: string, replay: string): string {
  const firstAt = (moment: string) =>
    `(select ${at}.first_id_at(r.${moment}) from ${at}.replays r where r.id = ${replay})`;
  return `l.group_id = any (array(select g.group_id from ${at}.replay_groups g where g.replay_id = ${replay}))
    and l.id >= ${firstAt("started_at")} and coalesce(l.id < ${firstAt("ended_at")}, true)`;
}

/** How many there are, counted no further than `atMost`; null for a replay of before anybody noted its groups. */
export async function countMeanwhile(ledger: Ledger, replay: Uint8Array, atMost: number): Promise<number | null> {
  const { database, at } = ledger;
  const parameters = new Parameters();
  const id = `${parameters.add(uuidOf(replay))}::uuid`;
  const { rows } = await database.query<{ n: number }>(
    `select count(*)::integer as n from (
       select from ${at}.letters l
       where ${cameMeanwhile(at, id)} and ${withinScope(ledger, parameters, "l")} limit ${parameters.add(atMost)}
     ) as found having exists (select from ${at}.replay_groups g where g.replay_id = ${id})`,
    parameters.values,
  );
  return rows[0]?.n ?? null;
}
