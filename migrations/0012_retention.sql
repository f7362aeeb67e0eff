-- Letters leave by the week: those past their time are expired first, in audited steps, and a week in which every letter has
-- come to its end goes as a whole. What tells letters apart, what was sent, and who did what stay.

-- For the matrix of what letters were and became: few letters are replayed, and only those stand in it.
create index letters_replayed on letters (was) where replays > 0;

create index bodies_by_reference on bodies (body_ref) where body_ref is not null;

-- States a letter comes to rest in.
create function is_terminal(state text) returns boolean language sql immutable as $$
  select state in ('resolved', 'dropped', 'compensated', 'escalated', 'expired')
$$;

-- A replay that may still send, or learn what became of what it sent.
create function is_unfinished(of_replay replays) returns boolean language sql stable
set search_path from current
as $$
  select case
    when of_replay.state in ('running', 'paused', 'settling') then true
    when of_replay.state in ('planned', 'awaiting_approval', 'approved') then of_replay.expires_at > clock()
    else false end
$$;

-- Letters older than that which nobody has decided about, in no replay that is under way; the oldest first.
create function letters_past(cutoff timestamptz, at_most integer) returns setof uuid language sql stable
set search_path from current
as $$
  select l.id from letters l
  where l.id < first_id_at(cutoff) and not is_terminal(l.state)
    and not exists (
      select from replay_items i join replays r on r.id = i.replay_id
      where i.letter_id = l.id and i.mark is null and is_unfinished(r)
    )
  order by l.id limit at_most
$$;

-- The weeks that have partitions and were over by then, the oldest first.
create function weeks_before(cutoff timestamptz) returns setof date language sql stable
set search_path from current
as $$
  select w.week from (
    select to_date(substr(c.relname, length('letters_') + 1), 'YYYYMMDD') as week
    from pg_inherits h join pg_class c on c.oid = h.inhrelid
    where h.inhparent = 'letters'::regclass
  ) w
  where (w.week + 7)::timestamp at time zone 'UTC' <= cutoff
  order by 1
$$;

-- Takes a week's partitions away, if every letter in them has come to its end. Gives how many letters went, and references
-- to bodies that no other letter has; nothing: some have not ended. With the rights of whoever made the schema, as in make_partitions. It waits for nobody longer than two seconds, since
-- whoever comes after it waits too: then it fails, and is asked again another time.
create function drop_week(of_week date) returns table (gone bigint, unreferenced text[]) language plpgsql security definer
set search_path from current
set lock_timeout = '2s'
as $$
declare
  suffix constant text := to_char(of_week, 'YYYYMMDD');
  unfinished boolean;
  parent text;
begin
  if to_regclass('letters_' || suffix) is null then
    return;
  end if;
  execute format('lock table %I in share row exclusive mode', 'letters_' || suffix);
  execute format(
    'select exists (select from %1$I l where not is_terminal(l.state)) or exists (
       select from %1$I l join replay_items i on i.letter_id = l.id join replays r on r.id = i.replay_id
       where i.mark is null and is_unfinished(r))', 'letters_' || suffix) into unfinished;
  if unfinished then
    return;
  end if;
  execute format(
    'insert into counter_deltas (group_id, source, queue, category, state, n, arrived, hour, at)
     select l.group_id, l.source, l.queue, l.category, l.state, -count(*), 0, date_trunc(''hour'', clock()), clock()
     from %I l group by 1, 2, 3, 4, 5', 'letters_' || suffix);
  execute format('select count(*) from %I', 'letters_' || suffix) into gone;
  execute format(
    'select coalesce(array_agg(distinct w.body_ref), ''{}'') from %I w where w.body_ref is not null and not exists (
       select from bodies b where b.body_ref = w.body_ref and (b.letter_id < $1 or b.letter_id >= $2))', 'bodies_' || suffix)
    into unreferenced
    using first_id_at(of_week::timestamp at time zone 'UTC'), first_id_at((of_week + 7)::timestamp at time zone 'UTC');
  foreach parent in array array['letters', 'bodies', 'attempts', 'classifications'] loop
    execute format('drop table if exists %I', parent || '_' || suffix);
  end loop;
  delete from stacks s where s.week <= of_week
    and not exists (select from pg_class c where c.oid = to_regclass('letters_' || to_char(s.week, 'YYYYMMDD')));
  return next;
end $$;
