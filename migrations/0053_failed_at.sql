-- Ages and hours go by when letters failed. By when the office took them in, the first drain of a queue of three weeks made everything look
-- new and as if it were growing.

-- What no clock can have said of a letter that was here by then: read so from now on, and mended where it was read before. A clock that was
-- never set, or seconds taken for milliseconds, say a time before there were dead-letter queues. Nothing failed after it came here: where a
-- clock is ahead by more than a minute, all that is known is that. Of letters that came back, the last change is not before that.
-- To the millisecond, as all times of failure are: pages of letters go on from one that is written so.
create function mend_failures() returns void language sql
set search_path from current
as $$
  update letters l
  set failed_at = m.known_by,
    failed_at_by = case when l.failed_at > m.known_by and l.failed_at <= m.known_by + interval '1 minute'
      then l.failed_at_by else 'arrival' end
  from letters o cross join lateral (
    select date_trunc('milliseconds', case when o.replays = 0 then o.arrived_at else o.changed_at end) as known_by
  ) m
  where l.id = o.id and (o.failed_at < '2010-01-01T00:00:00Z' or o.failed_at > m.known_by)
$$;

-- Of each group, when the first and the last of its letters failed.
alter table groups
  add column first_failed_at timestamptz,
  add column last_failed_at timestamptz;

-- `hour` is the hour in which they failed, and `at` when they arrived. Null in what was written by a process that is older than this:
-- there the hour, too, is that of the arrival.
alter table counter_deltas
  -- How many more letters there are whose last failure was in that hour: one that comes back leaves the hour in which it failed before.
  add column failed integer,
  add column first_failed_at timestamptz,
  add column last_failed_at timestamptz;

-- The open letter of a group that failed first, and pages of letters in the order in which they failed.
drop index letters_open;
create index letters_open on letters (group_id, failed_at) where state in ('open', 'returned');
create index letters_by_failure on letters (failed_at, id);

create or replace function oldest_open_in(which uuid) returns timestamptz language sql stable
set search_path from current
as $$
  select l.failed_at from letters l where l.group_id = which and l.state in ('open', 'returned') order by l.failed_at limit 1
$$;

-- By the letters that are there: what old counters counted by the hour of arrival. For a ledger that is older than this, or was filled by other
-- means than its own functions. What was not added to the counters yet is left out here, and added then.
create function recount_failures() returns void language sql
set search_path from current
as $$
  delete from group_hours;
  insert into group_hours (group_id, hour, n)
  select c.group_id, c.hour, sum(c.n) from (
    select l.group_id, date_trunc('hour', l.failed_at at time zone 'UTC') at time zone 'UTC' as hour, count(*) as n
    from letters l group by 1, 2
    union all
    select d.group_id, d.hour, -coalesce(d.failed, d.arrived) from counter_deltas d
  ) c group by 1, 2 having sum(c.n) <> 0;

  update groups g
  set first_failed_at = least(g.first_failed_at, t.first_at, g.first_arrived_at),
    last_failed_at = coalesce(greatest(g.last_failed_at, t.last_at), g.last_arrived_at),
    oldest_open_at = oldest_open_in(g.id)
  from groups o left join (
    select l.group_id, min(l.failed_at) as first_at, max(l.failed_at) as last_at from letters l group by 1
  ) t on t.group_id = o.id
  where g.id = o.id;
$$;

create or replace function fold_counters(at_most integer) returns integer language plpgsql
set search_path from current
as $$
declare
  ids bigint[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended(current_schema() || ' counters', 0)) then
    return 0;
  end if;
  select array_agg(d.id) into ids from (select id from counter_deltas order by id limit at_most) d;
  if ids is null then
    return 0;
  end if;
  insert into counters as c (source, queue, category, state, n)
  select d.source, d.queue, d.category, d.state, sum(d.n) from counter_deltas d where d.id = any (ids)
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (source, queue, category, state) do update set n = c.n + excluded.n;

  insert into group_hours as h (group_id, hour, n)
  select d.group_id, d.hour, sum(coalesce(d.failed, d.arrived)) from counter_deltas d
  where d.id = any (ids) and coalesce(d.failed, d.arrived) <> 0
  group by 1, 2 order by 1, 2
  on conflict (group_id, hour) do update set n = h.n + excluded.n;

  update groups g
  set total = g.total + t.arrived, open = g.open + t.open,
      first_arrived_at = least(g.first_arrived_at, t.first_at), last_arrived_at = greatest(g.last_arrived_at, t.last_at),
      first_failed_at = least(g.first_failed_at, t.first_failed_at), last_failed_at = greatest(g.last_failed_at, t.last_failed_at),
      -- What failed later than the oldest cannot be older: mostly there is nothing to look up.
      oldest_open_at = case when t.first_hour > g.oldest_open_at then g.oldest_open_at else oldest_open_in(g.id) end
  from (
    select d.group_id, sum(d.arrived) as arrived, coalesce(sum(d.n) filter (where is_open(d.state)), 0) as open,
      min(d.at) filter (where d.arrived > 0) as first_at, max(d.at) filter (where d.arrived > 0) as last_at,
      min(coalesce(d.first_failed_at, case when d.arrived > 0 then d.at end)) as first_failed_at,
      max(coalesce(d.last_failed_at, case when d.arrived > 0 then d.at end)) as last_failed_at,
      -- Only what is new is as old as its hour. All else, gone or back, may have been the oldest or be it: the first there can be.
      min(case when d.state = 'open' and not d.moved and d.n > 0 and d.n = d.arrived and d.n = d.failed then d.hour
        else '-infinity' end) filter (where is_open(d.state)) as first_hour
    from counter_deltas d where d.id = any (ids) group by d.group_id
  ) t
  where g.id = t.group_id;

  delete from counter_deltas where id = any (ids);
  return cardinality(ids);
end $$;

-- Letters that are moved to another group take along the hour in which they failed.
create or replace function place_letters(ids uuid[], targets uuid[], stamps bigint[], under integer)
returns table (placed bigint, moved bigint) language sql
set search_path from current
as $$
  with given as (
    select g.id, g.target, g.stamp from unnest(ids, targets, stamps) as g (id, target, stamp)
  ), locked as materialized (
    select l.id, l.group_id, l.source, l.queue, l.category, l.state, change_stamp(l.changed_at) as stamp, l.arrived_at, l.failed_at, l.replays
    from letters l where l.id = any (ids) and l.grouping_version < under order by l.id for no key update
  ), settled as materialized (
    select k.*, g.target, case when k.replays > 0 then
      (select max(a.at) from attempts a where a.letter_id = k.id and a.kind = 'returned') end as returned_at
    from locked k join given g on g.id = k.id and g.stamp = k.stamp
  ), changed as (
    update letters l set group_id = s.target, grouping_version = under from settled s
    where l.id = any (ids) and l.id = s.id
  ), counted as (
    insert into counter_deltas
      (group_id, source, queue, category, state, n, arrived, hour, at, moved, failed, first_failed_at, last_failed_at)
    select m.group_id, s.source, s.queue, s.category, s.state, sum(m.n), sum(m.n),
      date_trunc('hour', s.failed_at at time zone 'UTC') at time zone 'UTC', max(coalesce(s.returned_at, s.arrived_at)), true,
      sum(m.n), min(s.failed_at) filter (where m.n > 0), max(s.failed_at) filter (where m.n > 0)
    from settled s
    cross join lateral (values (s.group_id, -1), (s.target, 1)) as m (group_id, n)
    where s.target <> s.group_id
    group by m.group_id, s.source, s.queue, s.category, s.state, 8
  ), noted as (
    insert into group_returns as r (group_id, last_at)
    select s.target, max(s.returned_at) from settled s where s.target <> s.group_id and s.returned_at is not null
    group by 1 order by 1
    on conflict (group_id) do update set last_at = greatest(r.last_at, excluded.last_at)
  )
  select count(*), count(*) filter (where s.target <> s.group_id) from settled s
$$;

select mend_failures();
select recount_failures();
