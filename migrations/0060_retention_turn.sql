-- When retention ran last, what it did, and when it runs next. One process at a time has the turn.
create table retention_turn (
  is_only boolean primary key default true check (is_only),
  -- The turn is another's after that, unless whoever has it says so again.
  held_until timestamptz not null default '-infinity',
  next_at timestamptz not null default '-infinity',
  -- Of the last run that came to its end; null: none has.
  ended_at timestamptz,
  by text,
  expired integer not null default 0,
  weeks integer not null default 0,
  letters bigint not null default 0,
  -- Weeks that are past their time and stay, and why: JSON.
  kept text not null default '[]',
  -- Of all runs there ever were.
  expired_total bigint not null default 0,
  letters_total bigint not null default 0
);
insert into retention_turn default values;

-- As before, and of one that was halted: it can be resumed.
create or replace function is_unfinished(of_replay replays) returns boolean language sql stable
set search_path from current
as $$
  select case
    when of_replay.state in ('running', 'paused', 'settling', 'halted') then true
    when of_replay.state in ('planned', 'awaiting_approval', 'approved') then of_replay.expires_at > clock()
    else false end
$$;

-- As before, and none of which a message was sent that may have arrived or not: a corrective one, or the letter itself to its dead-letter
-- queue. From behind a letter on: the ones before it are expired already and need not be looked at once more.
create function letters_past(cutoff timestamptz, at_most integer, behind uuid) returns setof uuid language sql stable
set search_path from current
as $$
  select l.id from letters l
  where l.id < first_id_at(cutoff) and l.id > behind and not is_terminal(l.state)
    and not exists (
      select from replay_items i join replays r on r.id = i.replay_id
      where i.letter_id = l.id and i.mark is null and is_unfinished(r)
    )
    and not exists (select from compensations c where c.letter_id = l.id and c.state = 'sending')
  order by l.id limit at_most
$$;

-- The same of all letters.
create or replace function letters_past(cutoff timestamptz, at_most integer) returns setof uuid language sql stable
set search_path from current
as $$
  select letters_past(cutoff, at_most, '00000000-0000-0000-0000-000000000000')
$$;

-- As before; keeps the week of such a letter too, and tags go with their letters. No row: the week is kept. A row of nulls: another
-- run has removed the week.
create or replace function drop_week(of_week date) returns table (gone bigint, unreferenced text[]) language plpgsql security definer
set search_path from current
set lock_timeout = '2s'
as $$
declare
  suffix constant text := to_char(of_week, 'YYYYMMDD');
  unfinished boolean;
  parent text;
begin
  if to_regclass('letters_' || suffix) is null then
    return next;
    return;
  end if;
  execute format('lock table %I in share row exclusive mode', 'letters_' || suffix);
  execute format(
    'select exists (select from %1$I l where not is_terminal(l.state)) or exists (
       select from %1$I l join replay_items i on i.letter_id = l.id join replays r on r.id = i.replay_id
       where i.mark is null and is_unfinished(r)) or exists (
       select from %1$I l join compensations c on c.letter_id = l.id and c.state = ''sending'')', 'letters_' || suffix) into unfinished;
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
  delete from edits e
  where e.letter_id >= first_id_at(of_week::timestamp at time zone 'UTC')
    and e.letter_id < first_id_at((of_week + 7)::timestamp at time zone 'UTC');
  delete from letter_tags t
  where t.letter_id >= first_id_at(of_week::timestamp at time zone 'UTC')
    and t.letter_id < first_id_at((of_week + 7)::timestamp at time zone 'UTC');
  delete from stacks s where s.week <= of_week
    and not exists (select from pg_class c where c.oid = to_regclass('letters_' || to_char(s.week, 'YYYYMMDD')));
  return next;
end $$;
