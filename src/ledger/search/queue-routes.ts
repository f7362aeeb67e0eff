import type { Ledger } from "../ledger.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/** A queue that letters failed in. */
export interface KnownQueue {
  readonly source: string;
  readonly queue: string;
  readonly broker: string;
}

/** Those that letters ever came from, however many letters there are. */
export async function listKnownQueues(ledger: Ledger, atMost: number): Promise<readonly KnownQueue[]> {
  const parameters = new Parameters();
  const { rows } = await ledger.database.query<KnownQueue>(
    `select q.source, q.queue, q.broker from ${ledger.at}.queues q where ${withinScope(ledger, parameters, "q")}
     order by q.source, q.queue limit ${parameters.add(atMost)}`,
    parameters.values,
  );
  return rows;
}

/** Where the latest letters of a queue were found, and where those of them went that were replayed. */
export interface QueueRoute {
  readonly source: string;
  readonly queue: string;
  readonly deadLetters: readonly string[];
  readonly sentTo: readonly string[];
}

/** What is looked at of each queue: what it was wired to long ago says nothing about today. */
const latest = { groups: 5, lettersOfEach: 5 };

/**
 * By the latest letters of each queue alone, found by the groups that letters came to last: those know their source, where letters in
 * the order of a queue's name are of all sources that have one of that name.
 */
export async function readQueueRoutes(
  { database, at }: Ledger,
  queues: readonly Pick<KnownQueue, "source" | "queue">[],
): Promise<readonly QueueRoute[]> {
  const { rows } = await database.query<{ source: string; queue: string; dead_letters: string[]; sent_to: string[] }>(
    `select q.source, q.queue, array_agg(distinct l.drained_from) as dead_letters,
       coalesce(array_agg(distinct i.destination) filter (where i.destination is not null), '{}') as sent_to
     from unnest($1::text[], $2::text[]) as q (source, queue)
     cross join lateral (
       select g.id from ${at}.groups g where g.queue = q.queue and g.source = q.source
       order by g.last_arrived_at desc nulls last, g.id limit $3
     ) g cross join lateral (
       select l.id, l.source, l.queue, l.drained_from, l.replays from ${at}.letters l where l.group_id = g.id
       order by l.id desc limit $4
     ) l
     left join ${at}.replay_items i on i.letter_id = l.id and l.replays > 0 and i.sent_at is not null
     where l.source = q.source and l.queue = q.queue group by 1, 2 order by 1, 2`,
    [queues.map(({ source }) => source), queues.map(({ queue }) => queue), latest.groups, latest.lettersOfEach],
  );
  return rows.map(({ source, queue, dead_letters: deadLetters, sent_to: sentTo }) => ({
    ...{ source, queue, deadLetters, sentTo },
  }));
}
