-- A letter that was sent changes once, not twice: each change of it writes all its index entries anew.

-- As before, and counts how often they were replayed.
create function move_letters(ids uuid[], from_states text[], to_state text, sent integer) returns uuid[] language plpgsql
set search_path from current
as $$
declare
  moved uuid[];
begin
  with locked as materialized (
    select l.id, l.state from letters l where l.id = any (ids) and l.state = any (from_states)
    order by l.id for no key update
  ), changed as (
    update letters l set state = to_state, changed_at = clock(), replays = l.replays + sent from locked k
    where l.id = any (ids) and l.id = k.id
    returning l.id, l.group_id, l.source, l.queue, l.category, k.state as left_state
  ), counted as (
    insert into counter_deltas (group_id, source, queue, category, state, n, arrived, hour, at)
    select c.group_id, c.source, c.queue, c.category, s.state, sum(s.n), 0,
      date_trunc('hour', clock() at time zone 'UTC') at time zone 'UTC', clock()
    from changed c cross join lateral (values (c.left_state, -1), (to_state, 1)) as s (state, n)
    group by c.group_id, c.source, c.queue, c.category, s.state
  )
  select array_agg(c.id) into moved from changed c;
  return coalesce(moved, '{}');
end $$;

create or replace function move_letters(ids uuid[], from_states text[], to_state text) returns uuid[] language sql
set search_path from current
as $$
  select move_letters(ids, from_states, to_state, 0)
$$;

-- As before.
create or replace function note_sent(which uuid, numbers integer[], called text) returns integer language plpgsql
set search_path from current
as $$
declare
  moved uuid[];
  noted uuid[];
  freed uuid[];
begin
  with known as materialized (
    select i.n, i.letter_id, i.progress from replay_items i
    where i.replay_id = which and i.n = any (numbers)
      and (i.progress in ('sending', 'in_doubt') or (i.progress = 'released' and i.doubted_at is not null))
    order by i.n for no key update
  ), changed as (
    update replay_items i set progress = 'waiting', sent_at = clock() from known k where i.replay_id = which and i.n = k.n
  )
  select array_agg(k.letter_id) filter (where k.progress <> 'released'),
    array_agg(k.letter_id) filter (where k.progress = 'released')
  into noted, freed from known k;
  moved := move_letters(noted, array['in_replay', 'in_doubt'], 'sent', 1) || move_letters(freed, array['open'], 'sent', 1);
  perform add_attempts(moved, 'sent', called);
  return coalesce(cardinality(noted), 0) + coalesce(cardinality(freed), 0);
end $$;
