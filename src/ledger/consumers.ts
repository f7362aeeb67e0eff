import type { HandledSchema, HeartbeatReport } from "../domain/report.ts";
import type { Ledger } from "./ledger.ts";

/** A process at work on a queue, as it reports of itself. Times are milliseconds since 1970, by the ledger's clock. */
export interface WorkingConsumer {
  readonly service: string;
  readonly version: string;
  readonly instance: string;
  readonly schemas: readonly HandledSchema[];
  /** How long its inbox remembers a success; null without an inbox. */
  readonly inboxWindowS: number | null;
  /** What its handler writes is committed with the inbox's memory of it. @default false */
  readonly inboxTransactional?: boolean;
  readonly retryHorizonS: number;
  readonly probe: boolean;
  /** Since when its version is seen on that queue. */
  readonly versionSeenAt: number;
  readonly lastSeenAt: number;
}

/** Anyone may write to the queue of reports: what is longer than any name people give is not kept. */
const caps = { name: 200, queues: 200, schemas: 20_000 } as const;

/** What was last heard of a process so long ago is forgotten when others of its queue are heard. */
const forgottenAfter = "1 day";

/**
 * Takes a consumer's word for what it is. A heartbeat that comes late takes nothing back. Processes are forgotten only where
 * somebody else is heard: what gates know of a queue is by whoever was there last, however long ago, and that is never less.
 */
export async function noteHeartbeat({ database, at }: Ledger, source: string, beat: HeartbeatReport): Promise<void> {
  const { service, version, instance } = beat;
  const queues = beat.queues
    .slice(0, caps.queues)
    .map((each) => ({ ...each, said: JSON.stringify(each.schemas) }))
    .filter(({ queue, said }) => queue.length <= 512 && said.length <= caps.schemas);
  if ([service, version, instance].some((name) => name.length > caps.name) || queues.length === 0) return;
  await database.query(
    `with beats as (
       select * from unnest($5::text[], $6::text[], $7::float8[], $8::float8[], $9::boolean[], $10::boolean[])
         as b (queue, schemas, inbox_window_s, retry_horizon_s, probe, inbox_transactional)
     ), noted as (
       insert into ${at}.consumer_versions (source, queue, service, version, first_seen_at)
       select distinct $1, b.queue, $2, $3, ${at}.clock() from beats b order by 2 on conflict do nothing
     ), old as (
       select c.source, c.queue, c.service, c.instance from ${at}.consumers c
       where c.source = $1 and c.queue = any ($5::text[]) and (c.service, c.instance) <> ($2, $4)
         and c.last_seen_at < ${at}.clock() - interval '${forgottenAfter}'
       -- Whoever else forgets them now need not be waited for.
       for update skip locked
     ), forgotten as (
       delete from ${at}.consumers c using old
       where (c.source, c.queue, c.service, c.instance) = (old.source, old.queue, old.service, old.instance)
     )
     insert into ${at}.consumers as c
       (source, queue, service, version, instance, schemas, inbox_window_s, retry_horizon_s, probe, inbox_transactional, last_seen_at)
     select distinct on (b.queue) $1, b.queue, $2, $3, $4, b.schemas, b.inbox_window_s, b.retry_horizon_s, b.probe,
       b.inbox_transactional, ${at}.clock()
     from beats b order by b.queue
     on conflict (source, queue, service, instance) do update
       set version = excluded.version, schemas = excluded.schemas, inbox_window_s = excluded.inbox_window_s,
           retry_horizon_s = excluded.retry_horizon_s, probe = excluded.probe,
           inbox_transactional = excluded.inbox_transactional, last_seen_at = excluded.last_seen_at`,
    [
      ...[source, service, version, instance],
      ...[queues.map(({ queue }) => queue), queues.map(({ said }) => said)],
      ...[queues.map(({ inboxWindowS }) => inboxWindowS), queues.map(({ retryHorizonS }) => retryHorizonS)],
      queues.map(({ probe }) => probe),
      queues.map(({ inboxTransactional = false }) => inboxTransactional),
    ],
  );
}

/** Three heartbeats, and some: silence of that long is absence. */
export const silentS = 60;

/** Whether it was heard of lately enough to be there now. Two of those times: the clock that says `now` may not be the ledger's. */
export function isHeardOf({ lastSeenAt }: Pick<WorkingConsumer, "lastSeenAt">, now: number): boolean {
  return lastSeenAt > now - 2 * silentS * 1_000;
}

interface Row {
  readonly source: string;
  readonly queue: string;
  readonly service: string;
  readonly version: string;
  readonly instance: string;
  readonly schemas: string;
  readonly inbox_window_s: number | null;
  readonly retry_horizon_s: number;
  readonly probe: boolean;
  readonly inbox_transactional: boolean;
  readonly first_seen_at: Date;
  readonly last_seen_at: Date;
}

/**
 * Who is at work on these queues, by `source/queue`: those that were heard of when the last heartbeat of that queue came. The
 * office may have been away meanwhile, so its own clock says nothing about who is.
 */
export async function workingConsumers(
  { database, at }: Ledger,
  queues: readonly string[],
): Promise<ReadonlyMap<string, readonly WorkingConsumer[]>> {
  const { rows } = await database.query<Row>(
    `select c.*, v.first_seen_at from (
       select c.*, max(c.last_seen_at) over (partition by c.source, c.queue) as latest
       from ${at}.consumers c where c.queue = any ($1::text[])
     ) c join ${at}.consumer_versions v using (source, queue, service, version)
     where c.last_seen_at > c.latest - $2::integer * interval '1 s'
     order by c.source, c.queue, c.service, c.version, c.instance`,
    [[...new Set(queues)], silentS],
  );
  const working = new Map<string, WorkingConsumer[]>();
  for (const row of rows) {
    const place = `${row.source}/${row.queue}`;
    working.set(place, [...(working.get(place) ?? []), consumerOf(row)]);
  }
  return working;
}

/** Queues on which a service was seen at work. */
export async function queuesOfService({ database, at }: Ledger, service: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ queue: string }>(
    `select distinct queue from ${at}.consumer_versions where service = $1 order by queue`,
    [service],
  );
  return rows.map(({ queue }) => queue);
}

function consumerOf(row: Row): WorkingConsumer {
  return {
    ...{ service: row.service, version: row.version, instance: row.instance, probe: row.probe },
    schemas: JSON.parse(row.schemas) as readonly HandledSchema[],
    inboxTransactional: row.inbox_transactional,
    ...{ inboxWindowS: row.inbox_window_s, retryHorizonS: row.retry_horizon_s },
    ...{ versionSeenAt: row.first_seen_at.getTime(), lastSeenAt: row.last_seen_at.getTime() },
  };
}
