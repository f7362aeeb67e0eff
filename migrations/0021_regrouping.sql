-- Groups that people merge and split, for what comes later too. What was said is never changed: a later version takes it back.

alter table group_changes drop constraint group_changes_kind_check;
alter table group_changes
  add constraint group_changes_kind_check check (kind in ('merge', 'split', 'undo')),
  add column undoes integer references group_changes,
  add column reason text;

create unique index group_changes_undone_once on group_changes (undoes) where undoes is not null;

-- How far the letters that were here before have followed.
create table regrouping (
  one boolean primary key default true check (one),
  -- Every letter stands where the changes up to this version want it.
  placed_version integer not null default 0,
  -- Goes up with each batch that was placed under an older version than there is: whoever is about to say that all stand
  -- right looks again then.
  disturbances bigint not null default 0
);

insert into regrouping default values;

-- For whoever places letters, in the last statement of their transaction: says under which version that was. Null: none were.
create function note_grouping(placed_under integer) returns void language sql
set search_path from current
as $$
  update regrouping set placed_version = least(placed_version, placed_under), disturbances = disturbances + 1
  where exists (select from group_changes c where c.version > placed_under)
$$;

-- A moment as a number that is the same in every session.
create function change_stamp(moment timestamptz) returns bigint language sql immutable as $$
  select (extract(epoch from moment) * 1000000)::bigint
$$;

-- Places these letters under that version, and counts it; each with what it was when its place was found (`stamps`), since
-- whoever changed it meanwhile may have placed it elsewhere. Gives how many were placed, and how many of them moved.
create function place_letters(ids uuid[], targets uuid[], stamps bigint[], under integer)
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
    insert into counter_deltas (group_id, source, queue, category, state, n, arrived, hour, at)
    select m.group_id, s.source, s.queue, s.category, s.state, sum(m.n), sum(m.n),
      date_trunc('hour', s.came_at at time zone 'UTC') at time zone 'UTC', max(s.came_at)
    from settled s cross join lateral (values (s.group_id, -1), (s.target, 1)) as m (group_id, n)
    where s.target <> s.group_id
    group by m.group_id, s.source, s.queue, s.category, s.state, 8
  )
  select count(*), count(*) filter (where s.target <> s.group_id) from settled s
$$;

-- Letters that left a group take the hours of their arrival along.
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
      first_arrived_at = least(g.first_arrived_at, t.first_at), last_arrived_at = greatest(g.last_arrived_at, t.last_at)
  from (
    select d.group_id, sum(d.arrived) as arrived, coalesce(sum(d.n) filter (where is_open(d.state)), 0) as open,
      min(d.at) filter (where d.arrived > 0) as first_at, max(d.at) filter (where d.arrived > 0) as last_at
    from counter_deltas d where d.id = any (ids) group by d.group_id
  ) t
  where g.id = t.group_id;

  delete from counter_deltas where id = any (ids);
  return cardinality(ids);
end $$;
