import type { Category } from "../../domain/classification.ts";
import { idOfUuid } from "../../domain/ids.ts";
import { openStates } from "../../domain/letter.ts";
import type { Ledger } from "../ledger.ts";
import { isReplaySeen } from "../read-replay.ts";
import { Parameters } from "./parameters.ts";

interface Place {
  readonly source: string;
  readonly queue: string;
}

/** A letter as long as somebody had to decide about it. Times are milliseconds since 1970. */
export interface PastLetter extends Place {
  readonly category: Category;
  readonly arrivedAt: number;
  /** When it failed last. */
  readonly failedAt: number;
  /** When it was decided about, as far as its last change says; null while it is open. */
  readonly decidedAt: number | null;
}

interface Latest {
  /** Names alone: letters are in order by those. */
  readonly queues: readonly string[];
  readonly perQueue: number;
}

/** The latest letters of queues of these names, of whatever source; fewer than asked for are all there are. */
export async function readPastLetters(
  { database, at }: Ledger,
  { queues, perQueue }: Latest,
): Promise<readonly PastLetter[]> {
  const { rows } = await database.query<
    Place & { category: Category; arrived_at: Date; failed_at: Date; changed_at: Date; is_open: boolean }
  >(
    `select l.source, q.queue, l.category, l.arrived_at, l.failed_at, l.changed_at, l.state = any ($2::text[]) as is_open
     from unnest($1::text[]) as q (queue)
     cross join lateral (
       select l.source, l.category, l.arrived_at, l.failed_at, l.changed_at, l.state from ${at}.letters l where l.queue = q.queue
       order by l.id desc limit $3
     ) l`,
    [queues, [...openStates], perQueue],
  );
  return rows.map(({ source, queue, category, ...row }) => ({
    ...{ source, queue, category, arrivedAt: row.arrived_at.getTime(), failedAt: row.failed_at.getTime() },
    decidedAt: row.is_open ? null : row.changed_at.getTime(),
  }));
}

/** The latest letters that came back to queues of these names, in milliseconds since 1970; fewer than asked for are all. */
export async function readPastReturns(
  { database, at }: Ledger,
  { queues, since, perQueue }: Latest & { readonly since: number },
): Promise<readonly (Place & { readonly at: number })[]> {
  const { rows } = await database.query<Place & { returned_at: Date }>(
    `select s.source, q.queue, s.returned_at from unnest($1::text[]) as q (queue)
     cross join lateral (
       select s.source, s.returned_at from ${at}.sends s
       where s.queue = q.queue and s.returned_at >= to_timestamp($2::float8 / 1000) order by s.returned_at desc limit $3
     ) s`,
    [queues, since, perQueue],
  );
  return rows.map(({ source, queue, returned_at: returned }) => ({ source, queue, at: returned.getTime() }));
}

/** A plan that somebody asked approval for; `decidedAt` is null while it waits. */
export interface PastPlan {
  readonly id: Uint8Array;
  readonly requestedBy: string;
  readonly frozenAt: number;
  readonly decidedAt: number | null;
}

interface PlanRow {
  readonly id: string;
  readonly requested_by: string;
  readonly frozen_at: Date;
  readonly decided_at: Date | null;
}

/** The latest that waited for approval, until enough had approved, somebody rejected it, or it ended without. */
export async function readPastPlans(ledger: Ledger, since: number, atMost: number): Promise<readonly PastPlan[]> {
  const { at } = ledger;
  const parameters = new Parameters();
  const { rows } = await ledger.database.query<PlanRow>(
    `select r.id, r.requested_by, r.frozen_at, case when r.state <> 'awaiting_approval' then least(
       (select a.at from ${at}.replay_approvals a where a.replay_id = r.id and a.verdict = 'approved'
        order by a.at offset r.approvals_needed - 1 limit 1),
       (select min(a.at) from ${at}.replay_approvals a where a.replay_id = r.id and (a.verdict = 'rejected' or a.broke_glass)),
       r.started_at, r.ended_at) end as decided_at
     from (
       select r.* from ${at}.replays r where ${isReplaySeen(ledger, parameters)} order by r.id desc limit ${parameters.add(atMost)}
     ) r where r.reason is not null and r.approvals_needed > 0
       and r.frozen_at >= to_timestamp(${parameters.add(since)}::float8 / 1000)`,
    parameters.values,
  );
  return rows.map(({ id, requested_by: requestedBy, frozen_at: frozen, decided_at: decided }) => ({
    ...{ id: idOfUuid(id), requestedBy, frozenAt: frozen.getTime(), decidedAt: decided?.getTime() ?? null },
  }));
}

/** Failures of these groups by the hour since a moment, which must be the beginning of one: by the group's UUID. */
export async function readPastHours(
  { database, at }: Ledger,
  groups: readonly string[],
  since: number,
): Promise<ReadonlyMap<string, ReadonlyMap<number, number>>> {
  const { rows } = await database.query<{ group_id: string; hour: Date; n: string }>(
    `select h.group_id, h.hour, h.n from ${at}.group_hours h
     where h.group_id = any ($1::uuid[]) and h.hour >= to_timestamp($2::float8 / 1000)`,
    [groups, since],
  );
  const hours = new Map<string, Map<number, number>>();
  for (const { group_id: group, hour, n } of rows) {
    const own = hours.get(group) ?? new Map<number, number>();
    hours.set(group, own.set(hour.getTime(), Number(n)));
  }
  return hours;
}
