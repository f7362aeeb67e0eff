import { idOfUuid, showId } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";

/** Something that happened around a group, besides what people said of it. */
export interface GroupHappening {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: "fix" | "deploy" | "replay" | "merge" | "split" | "undo";
  readonly by: string;
  /** What it is called: a fix, a version, a replay, the other group. */
  readonly called: string;
  /** Of what can be opened; null otherwise. */
  readonly replay: string | null;
  /** Why, or where it stands. */
  readonly text: string | null;
}

export interface HappenedAround {
  /** The group and those that were merged into it, as UUIDs. */
  readonly ids: readonly string[];
  readonly queue: string;
  /** Milliseconds since 1970. Deploys before it are left out. */
  readonly since: number;
  readonly limit: number;
}

/** Replays are found by so many of its newest letters: a group may have a million. */
const lettersLookedAt = 1_000;

/** Fixes, deploys to its queue, replays of its letters, and what it was merged with or split into; newest first. */
export async function happenedAround(
  { database, at }: Ledger,
  { ids, queue, since, limit }: HappenedAround,
): Promise<readonly GroupHappening[]> {
  const { rows } = await database.query<Row>(
    `select * from (
       select f.recorded_at as at, 'fix' as kind, f.recorded_by as by, f.called, null::uuid as replay,
         case when f.retracted_at is null then f.reason else 'retracted' end as text
       from ${at}.fixes f where f.group_id = any ($1::uuid[])
       union all
       select d.deployed_at, 'deploy', d.recorded_by, d.service || ' ' || d.version, null, null
       from ${at}.deploys d where d.queues @> array[$2] and d.deployed_at >= to_timestamp($3::float8 / 1000)
       union all
       select r.frozen_at, 'replay', r.requested_by, r.name, r.id, r.state from ${at}.replays r where r.id in (
         select i.replay_id from (
           select l.id from ${at}.letters l where l.group_id = any ($1::uuid[]) order by l.id desc limit ${lettersLookedAt}
         ) l join ${at}.replay_items i on i.letter_id = l.id
       )
       union all
       select c.at, c.kind, c.actor, case when c.group_id = any ($1::uuid[]) then c.into_group_id else c.group_id end::text,
         null, c.reason
       from ${at}.group_changes c where c.group_id = any ($1::uuid[]) or c.into_group_id = any ($1::uuid[])
     ) happened order by at desc limit $4`,
    [ids, queue, since, limit],
  );
  return rows.map(({ at: when, called, replay, ...row }) => ({
    ...row,
    at: when.getTime(),
    called: isChange(row.kind) ? showId("group", idOfUuid(called)) : called,
    replay: replay === null ? null : showId("replay", idOfUuid(replay)),
  }));
}

interface Row extends Omit<GroupHappening, "at"> {
  readonly at: Date;
}

function isChange(kind: GroupHappening["kind"]): boolean {
  return kind === "merge" || kind === "split" || kind === "undo";
}
