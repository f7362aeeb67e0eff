-- Words that people and rules put on letters and groups, to find them by and to keep them out of what a search selects. Always in small
-- letters: how a tag is written does not tell two of them apart.
create table letter_tags (
  letter_id uuid not null,
  tag text collate "C" not null,
  -- A person, or `rule/<id>` of the policy.
  by text not null,
  at timestamptz not null default clock(),
  primary key (letter_id, tag)
);
create index letter_tags_by_tag on letter_tags (tag, letter_id);

-- Letters have the tags of their group too, those that come later as well.
create table group_tags (
  group_id uuid not null,
  tag text collate "C" not null,
  by text not null,
  at timestamptz not null default clock(),
  primary key (group_id, tag)
);

-- Said in the history of the group, too.
alter table group_words drop constraint group_words_kind_check;
alter table group_words add constraint group_words_kind_check
  check (kind in ('acknowledged', 'snoozed', 'woken', 'assigned', 'noted', 'classified', 'tagged', 'untagged'));

-- As before, and tags go with their letters.
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
