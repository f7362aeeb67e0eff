-- Letters that are moved to another group take along when they came back, so that what was said of that group before holds no longer.
-- What they leave behind stays: that a letter came back while it was there remains true.
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
    select k.*, g.target, case when k.replays > 0 then
      (select max(a.at) from attempts a where a.letter_id = k.id and a.kind = 'returned') end as returned_at
    from locked k join given g on g.id = k.id and g.stamp = k.stamp
  ), changed as (
    update letters l set group_id = s.target, grouping_version = under from settled s
    where l.id = any (ids) and l.id = s.id
  ), counted as (
    insert into counter_deltas (group_id, source, queue, category, state, n, arrived, hour, at, moved)
    select m.group_id, s.source, s.queue, s.category, s.state, sum(m.n), sum(m.n),
      date_trunc('hour', c.came_at at time zone 'UTC') at time zone 'UTC', max(c.came_at), true
    from settled s
    -- When it came to the group it is in.
    cross join lateral (select coalesce(s.returned_at, s.arrived_at)) as c (came_at)
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

-- By the letters that are there and their attempts. For a ledger that was filled by other means than its own functions.
create function note_all_returns() returns void language sql
set search_path from current
as $$
  insert into group_returns as r (group_id, last_at)
  select l.group_id, max(a.at) from letters l join attempts a on a.letter_id = l.id
  where l.replays > 0 and a.kind = 'returned' group by 1 order by 1
  on conflict (group_id) do update set last_at = greatest(r.last_at, excluded.last_at)
$$;

-- What was moved or restored since there is such a table.
select note_all_returns();
