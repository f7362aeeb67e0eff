-- A window changes its items twice, when it is intended and when it is sent. Where each stands is in a column that no index looks at, and
-- pages keep room for a second version of their rows: neither change writes to an index or to another page.
drop index replay_items_by_progress;
alter table replay_items set (fillfactor = 50);

-- As before; where letters of many weeks are kept, only those weeks are looked through that any of these can be of.
create or replace function move_letters(ids uuid[], from_states text[], to_state text, sent integer) returns uuid[] language plpgsql
set search_path from current
as $$
declare
  first constant uuid := (select id from unnest(ids) as id order by id limit 1);
  last constant uuid := (select id from unnest(ids) as id order by id desc limit 1);
  moved uuid[];
begin
  with locked as materialized (
    select l.id, l.group_id, l.source, l.queue, l.category, l.state from letters l
    where l.id between first and last and l.id = any (ids) and l.state = any (from_states)
      and not (
        to_state = 'open' and l.state = 'dropped' and exists (
          select from compensations c where c.letter_id = l.id and c.kind = 'give_back' and c.state = 'sent'
        )
      )
    order by l.id for no key update
  ), counted as (
    insert into counter_deltas (group_id, source, queue, category, state, n, arrived, hour, at)
    select c.group_id, c.source, c.queue, c.category, s.state, sum(s.n), 0,
      date_trunc('hour', clock() at time zone 'UTC') at time zone 'UTC', clock()
    from locked c cross join lateral (values (c.state, -1), (to_state, 1)) as s (state, n)
    group by c.group_id, c.source, c.queue, c.category, s.state
  )
  select array_agg(c.id) into moved from locked c;
  update letters l set state = to_state, changed_at = clock(), replays = l.replays + sent
  where l.id between first and last and l.id = any (moved);
  return coalesce(moved, '{}');
end $$;

-- As before; its items are gone through once less, and twice less where nobody else has any of the letters.
create or replace function intend_items(
  which uuid, as_epoch integer, numbers integer[], noted_sources text[], noted_queues text[], notes text[]
) returns table (n integer, intent integer) language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  wanted uuid[];
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

  select array_agg(i.letter_id) into wanted from replay_items i
  where i.replay_id = which and i.n between first and last and i.n = any (numbers) and i.progress = 'not_yet_sent' and i.mark is null;
  claimed := move_letters(wanted, array['open', 'returned'], 'in_replay');

  if cardinality(claimed) < cardinality(wanted) then
    update replay_items i set mark = 'drifted', mark_reason = 'claimed'
    where i.replay_id = which and i.n between first and last and i.n = any (numbers) and i.progress = 'not_yet_sent' and i.mark is null
      and i.letter_id <> all (claimed);
  end if;

  return query
    with begun as (
      update replay_items i set progress = 'sending', epoch = as_epoch, intent = number
      where i.replay_id = which and i.n between first and last and i.n = any (numbers) and i.progress = 'not_yet_sent' and i.mark is null
      returning i.n, i.letter_id, i.source, i.destination, i.payload_sha256
    ), noted as (
      insert into sends (replay_id, n, letter_id, source, queue, payload_sha256, sent_at)
      select which, b.n, b.letter_id, b.source, b.destination, b.payload_sha256, clock() from begun b
    )
    select b.n, number from begun b;
end $$;
