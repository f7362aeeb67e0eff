-- Edits: what people put in place of a letter's body before it goes back. The original stays as it came; each edit is a
-- revision behind the one it began from, and none is ever changed.
create table edits (
  letter_id uuid not null,
  -- 1 is the first; the original is 0.
  revision integer not null check (revision > 0),
  body bytea not null,
  sha256 bytea not null,
  by text not null,
  reason text not null,
  at timestamptz not null default clock(),
  -- The replay whose patch made it when its turn came; null where somebody edited this letter.
  replay_id uuid,
  primary key (letter_id, revision)
);

-- A JSON Patch that every letter of a replay is edited by; null where each goes as it is. Frozen with the plan: applied again
-- when its turn comes, it must give the bytes whose digest was approved.
alter table replays add column patch text;
drop trigger keep_plan on replays;
create trigger keep_plan before update of id, name, query, requested_by, frozen_at, policy_hash, plan_hash, limits, redirect,
  approvals_needed, approver_roles, patch on replays for each row execute function refuse_change();

create trigger keep_edits before update on edits for each row execute function refuse_change();
create trigger keep_rows before truncate on edits for each statement execute function refuse_change();

-- A body leaves with its letter, whatever was made of it.
create function refuse_removal() returns trigger language plpgsql
set search_path from current
as $$
begin
  if exists (select from letters l where l.id = old.letter_id) then
    raise exception 'An edit is kept as long as its letter.' using errcode = 'restrict_violation';
  end if;
  return old;
end $$;

create trigger keep_with_letter before delete on edits for each row execute function refuse_removal();

-- Whoever asked for a replay, edited one of its letters or answered for a risk in it is not one of the second pair of eyes.
create function is_involved(which uuid, who text) returns boolean language sql stable
set search_path from current
as $$
  select exists (select from replays r where r.id = which and r.requested_by = who)
    or exists (
      select from replay_items i where i.replay_id = which and i.acknowledged_at is not null and i.acknowledged_by = who
    )
    or exists (
      select from replay_items i join edits e on e.letter_id = i.letter_id and e.revision <= i.revision
      where i.replay_id = which and i.revision > 0 and e.by = who
    )
$$;

create index replay_items_answered on replay_items (replay_id) where acknowledged_at is not null;
create index replay_items_edited on replay_items (replay_id) where revision > 0;

-- As before, and edits go with their letters.
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
  delete from stacks s where s.week <= of_week
    and not exists (select from pg_class c where c.oid = to_regclass('letters_' || to_char(s.week, 'YYYYMMDD')));
  return next;
end $$;
