-- When a message was first sent, as its sender or its broker says; null where nobody does, and for letters that came before.
alter table letters add column enqueued_at timestamptz;
create trigger keep_enqueued before update of enqueued_at on letters for each row execute function refuse_change();

-- What lists need to stay quick with a million letters, whichever values people look for.

-- A page is in the order of ids. With the state in between, an index has them in that order only for one state, and the pages of a
-- rare queue or category were looked for through all letters.
drop index letters_by_queue;
create index letters_by_queue on letters (queue, id);
drop index letters_by_category;
create index letters_by_category on letters (category, id);

-- The oldest open letter of a group, however many others of it are settled. By the time of arrival and not by id: no other index has
-- that order, so that no plan can go through all letters instead, whatever it expects to find soon.
create index letters_open on letters (group_id, arrived_at) where state in ('open', 'returned');

-- When the oldest open one arrived. Looked up when something open came or went, and read with every list of groups or queues.
alter table groups add column oldest_open_at timestamptz;

create function oldest_open_in(which uuid) returns timestamptz language sql stable
set search_path from current
as $$
  select l.arrived_at from letters l where l.group_id = which and l.state in ('open', 'returned') order by l.arrived_at limit 1
$$;

update groups g set oldest_open_at = oldest_open_in(g.id) where g.open > 0;

-- Of letters that came from another group: they are older than the hour they came in.
alter table counter_deltas add column moved boolean not null default false;

create or replace function place_letters(ids uuid[], targets uuid[], stamps bigint[], under integer)
returns table (placed bigint, moved bigint) language sql
set search_path from current
as $$
  with given as (
    select g.id, g.target, g.stamp from unnest(ids, targets, stamps) as g (id, target, stamp)
  ), locked as materialized (
    select l.id, l.group_id, l.source, l.queue, l.category, l.state, change_stamp(l.changed_at) as stamp, l.arrived_at, l.replays
    from letters l where l.id = any (ids) and l.grouping_version < under order by l.id for no key update
  ), settled as materialized (
    select k.*, g.target,
      -- When it came to the group it is in.
      case when k.replays = 0 then k.arrived_at else coalesce(
        (select max(a.at) from attempts a where a.letter_id = k.id and a.kind = 'returned'), k.arrived_at) end as came_at
    from locked k join given g on g.id = k.id and g.stamp = k.stamp
  ), changed as (
    update letters l set group_id = s.target, grouping_version = under from settled s
    where l.id = any (ids) and l.id = s.id
  ), counted as (
    insert into counter_deltas (group_id, source, queue, category, state, n, arrived, hour, at, moved)
    select m.group_id, s.source, s.queue, s.category, s.state, sum(m.n), sum(m.n),
      date_trunc('hour', s.came_at at time zone 'UTC') at time zone 'UTC', max(s.came_at), true
    from settled s cross join lateral (values (s.group_id, -1), (s.target, 1)) as m (group_id, n)
    where s.target <> s.group_id
    group by m.group_id, s.source, s.queue, s.category, s.state, 8
  )
  select count(*), count(*) filter (where s.target <> s.group_id) from settled s
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
  select d.group_id, d.hour, sum(d.arrived) from counter_deltas d where d.id = any (ids) and d.arrived <> 0
  group by 1, 2 order by 1, 2
  on conflict (group_id, hour) do update set n = h.n + excluded.n;

  update groups g
  set total = g.total + t.arrived, open = g.open + t.open,
      first_arrived_at = least(g.first_arrived_at, t.first_at), last_arrived_at = greatest(g.last_arrived_at, t.last_at),
      -- What came later than the oldest cannot be older: mostly there is nothing to look up.
      oldest_open_at = case when t.first_hour > g.oldest_open_at then g.oldest_open_at else oldest_open_in(g.id) end
  from (
    select d.group_id, sum(d.arrived) as arrived, coalesce(sum(d.n) filter (where is_open(d.state)), 0) as open,
      min(d.at) filter (where d.arrived > 0) as first_at, max(d.at) filter (where d.arrived > 0) as last_at,
      -- Only what is new is as old as its hour. All else, gone or back, may have been the oldest or be it: the first there can be.
      min(case when d.state = 'open' and not d.moved and d.n > 0 and d.n = d.arrived then d.hour else '-infinity' end)
        filter (where is_open(d.state)) as first_hour
    from counter_deltas d where d.id = any (ids) group by d.group_id
  ) t
  where g.id = t.group_id;

  delete from counter_deltas where id = any (ids);
  return cardinality(ids);
end $$;
