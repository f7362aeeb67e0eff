-- As before; a letter that was given back is not reopened, whatever version of the office asks while a newer one is rolled out: it
-- could be sent from here while its queue has it too.
create or replace function move_letters(ids uuid[], from_states text[], to_state text, sent integer) returns uuid[] language plpgsql
set search_path from current
as $$
declare
  moved uuid[];
begin
  with locked as materialized (
    select l.id, l.group_id, l.source, l.queue, l.category, l.state from letters l
    where l.id = any (ids) and l.state = any (from_states)
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
  update letters l set state = to_state, changed_at = clock(), replays = l.replays + sent where l.id = any (moved);
  return coalesce(moved, '{}');
end $$;
