-- A window of letters costs what is in it, however many letters the replay has. Of a replay that has just been planned, and of states that
-- change faster than its statistics, the planner believes that there are hardly any: joined to one another, each item was then
-- compared with each. So rows are locked first and changed by their names, and numbers are looked up by their range.

-- As before, and counts how often they were replayed: a letter that was sent changes once, not twice.
create function move_letters(ids uuid[], from_states text[], to_state text, sent integer) returns uuid[] language plpgsql
set search_path from current
as $$
declare
  moved uuid[];
begin
  with locked as materialized (
    select l.id, l.group_id, l.source, l.queue, l.category, l.state from letters l
    where l.id = any (ids) and l.state = any (from_states)
    order by l.id for no key update
  ), counted as (
    insert into counter_deltas (group_id, source, queue, category, state, n, arrived, hour, at)
    select c.group_id, c.source, c.queue, c.category, s.state, sum(s.n), 0,
      date_trunc('hour', clock() at time zone 'UTC') at time zone 'UTC', clock()
    from locked c cross join lateral (values (c.state, -1), (to_state, 1)) as s (state, n)
    group by c.group_id, c.source, c.queue, c.category, s.state
  )
  select array_agg(c.id) into moved from locked c;
  update letters l set state = to_state, changed_at = clock(), replays = l.replays + sent where l.id = any (moved);
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
  first constant integer := (select min(n) from unnest(numbers) as n);
  last constant integer := (select max(n) from unnest(numbers) as n);
  known integer[];
  moved uuid[];
  noted uuid[];
  freed uuid[];
begin
  select array_agg(k.n), array_agg(k.letter_id) filter (where k.progress <> 'released'),
    array_agg(k.letter_id) filter (where k.progress = 'released')
  into known, noted, freed
  from (
    select i.n, i.letter_id, i.progress from replay_items i
    where i.replay_id = which and i.n between first and last and i.n = any (numbers)
      and (i.progress in ('sending', 'in_doubt') or (i.progress = 'released' and i.doubted_at is not null))
    order by i.n for no key update
  ) k;
  update replay_items i set progress = 'waiting', sent_at = clock()
  where i.replay_id = which and i.n between first and last and i.n = any (known);
  moved := move_letters(noted, array['in_replay', 'in_doubt'], 'sent', 1) || move_letters(freed, array['open'], 'sent', 1);
  perform add_attempts(moved, 'sent', called);
  return coalesce(cardinality(known), 0);
end $$;

-- As before.
create or replace function intend_items(
  which uuid, as_epoch integer, numbers integer[], noted_sources text[], noted_queues text[], notes text[]
) returns table (n integer, intent integer) language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  claimed uuid[];
  number constant integer := next_intent(which, as_epoch);
  first constant integer := (select min(m) from unnest(numbers) as m);
  last constant integer := (select max(m) from unnest(numbers) as m);
begin
  if number is null then
    return;
  end if;
  insert into send_notes (replay_id, intent, source, queue, note)
  select which, number, s.source, s.queue, s.note
  from unnest(noted_sources, noted_queues, notes) as s (source, queue, note);

  select move_letters(array_agg(i.letter_id), array['open', 'returned'], 'in_replay') into claimed
  from replay_items i
  where i.replay_id = which and i.n between first and last and i.n = any (numbers) and i.progress = 'not_yet_sent' and i.mark is null;

  insert into sends (replay_id, n, letter_id, source, queue, payload_sha256, sent_at)
  select which, i.n, i.letter_id, i.source, i.destination, i.payload_sha256, clock()
  from replay_items i
  where i.replay_id = which and i.n between first and last and i.n = any (numbers) and i.progress = 'not_yet_sent' and i.letter_id = any (claimed);

  update replay_items i set mark = 'drifted', mark_reason = 'claimed'
  where i.replay_id = which and i.n between first and last and i.n = any (numbers) and i.progress = 'not_yet_sent' and i.mark is null
    and i.letter_id <> all (claimed);

  return query
    update replay_items i set progress = 'sending', epoch = as_epoch, intent = number
    where i.replay_id = which and i.n between first and last and i.n = any (numbers) and i.progress = 'not_yet_sent' and i.mark is null
    returning i.n, i.intent;
end $$;
