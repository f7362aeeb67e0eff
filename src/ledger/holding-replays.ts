import { idOfUuid, showId } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import type { ReplayState } from "./replay-record.ts";
import { Parameters } from "./search/parameters.ts";
import { withinScope } from "./search/within-scope.ts";

/** A replay that is to send letters of a group, or has sent some of which it is not known what became of them. */
export interface HoldingReplay {
  readonly replay: string;
  readonly by: string;
  readonly state: ReplayState;
  /** Of the group, as far as they were looked at. */
  readonly letters: number;
  /** It has more letters than were looked at. */
  readonly isMore: boolean;
}

/** Pages ask whenever something changes: a replay may have a hundred thousand letters, and many may be under way. */
const replaysLooked = 10;
const itemsLooked = 1_000;
const replaysAtMost = 5;

/** Those that somebody asked approval for, or that are under way; a plan nobody went on with holds nothing. `groups` are UUIDs. */
export async function replaysHolding(ledger: Ledger, groups: readonly string[]): Promise<readonly HoldingReplay[]> {
  const { database, at } = ledger;
  const parameters = new Parameters();
  const { rows } = await database.query<Omit<HoldingReplay, "replay"> & { readonly id: string }>(
    `select r.id, r.requested_by as by, r.state, held.letters, held.looked >= ${itemsLooked} as "isMore" from (
       select id, requested_by, state, frozen_at from ${at}.replays
       where state in ('awaiting_approval', 'approved', 'running', 'paused', 'settling', 'halted')
       order by frozen_at desc limit ${replaysLooked}
     ) r cross join lateral (
       select count(*)::integer as looked, count(*) filter (where l.group_id is not null)::integer as letters from (
         select i.letter_id, i.mark is null and (i.decision = 'replay' or i.acknowledged_at is not null) as goes
         from ${at}.replay_items i
         where i.replay_id = r.id and i.progress in ('not_yet_sent', 'sending', 'in_doubt', 'waiting') limit ${itemsLooked}
       ) i left join lateral (
         select g.group_id from ${at}.letters g where i.goes and g.id = i.letter_id
           and g.group_id = any (${parameters.add(groups)}::uuid[]) and ${withinScope(ledger, parameters, "g")}
       ) l on true
     ) held where held.letters > 0 order by r.frozen_at desc limit ${replaysAtMost}`,
    parameters.values,
  );
  return rows.map(({ id, ...row }) => ({ ...row, replay: showId("replay", idOfUuid(id)) }));
}
