-- Letters that have a place in the sequence of a key: their headers, or those of a return of theirs, hold the name `dlo-lane`. Most
-- databases have few or none.
create index bodies_in_sequence on bodies (letter_id)
  where message_key is not null and position('\x22646c6f2d6c616e6522'::bytea in headers) > 0;
create index attempts_in_sequence on attempts (letter_id)
  where kind = 'returned' and position('\x22646c6f2d6c616e6522'::bytea in headers) > 0;

-- Letters of a week whose places no decision released: escalated, undrained, replayed to another queue, or decided about before places
-- were released. Behind a letter on. Not those of which a message may still be sent: they keep their week.
create function unreleased_letters(of_week date, behind uuid, at_most integer) returns setof uuid language sql stable
set search_path from current
as $$
  with week as materialized (
    select first_id_at(of_week::timestamp at time zone 'UTC') as first, first_id_at((of_week + 7)::timestamp at time zone 'UTC') as next
  ), placed as (
    select b.letter_id from bodies b
    where b.letter_id > behind and b.letter_id >= (select first from week) and b.letter_id < (select next from week)
      and b.message_key is not null and position('\x22646c6f2d6c616e6522'::bytea in b.headers) > 0
    union
    select a.letter_id from attempts a
    where a.letter_id > behind and a.letter_id >= (select first from week) and a.letter_id < (select next from week)
      and a.kind = 'returned' and position('\x22646c6f2d6c616e6522'::bytea in a.headers) > 0
  )
  select l.id from placed p join letters l on l.id = p.letter_id
  where is_terminal(l.state)
    and (l.state <> 'resolved' or exists (
      select from replay_items i where i.letter_id = l.id and i.sent_at is not null and i.destination <> l.queue
    ))
    -- A message that was not dead when its place was to be released may be dead by now. One that failed again may have another place.
    and not exists (
      select from key_releases r where r.letter_id = l.id and r.state <> 'alive' and not exists (
        select from attempts a where a.letter_id = r.letter_id and a.kind = 'returned' and a.at > r.noted_at
      )
    )
    and not exists (
      select from replay_items i join replays r on r.id = i.replay_id
      where i.letter_id = l.id and i.mark is null and is_unfinished(r)
    )
    and not exists (select from compensations c where c.letter_id = l.id and c.state = 'sending')
  order by l.id limit at_most
$$;
