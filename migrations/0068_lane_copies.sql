-- What a message came with before it carried its number, and no other message has: known by it, it is a copy when it comes without
-- a number once more. Null where its broker has no name for it.
alter table lane_places add column copy bytea;

-- Of messages whose dead places are gone: dropped, they must not run when an old delivery comes after that.
create table lane_copies (
  queue text collate "C" not null,
  lane bytea not null,
  copy bytea not null,
  until timestamptz not null,
  primary key (queue, lane, copy)
);

create index lane_copies_until on lane_copies (until);

-- Whoever may delete places may have no rights on other tables.
create function remember_lane_copy() returns trigger language plpgsql security definer
set search_path from current
as $$
begin
  delete from lane_copies where (queue, lane, copy) in (
    select c.queue, c.lane, c.copy from lane_copies c where c.until < clock() order by c.until limit 10 for update skip locked
  );
  insert into lane_copies (queue, lane, copy, until) values (old.queue, old.lane, old.copy, clock() + interval '7 days')
  on conflict (queue, lane, copy) do update set until = excluded.until;
  return null;
end $$;

-- It has its owner's rights, so nobody's temporary tables may come before its own.
do $$
begin
  execute format('alter function remember_lane_copy() set search_path = %I, pg_temp', current_schema());
end $$;

create trigger lane_places_dead_gone after delete on lane_places for each row
when (old.state = 'dead' and old.copy is not null) execute function remember_lane_copy();

-- A message that carries the number of a dead place, and that nobody put back, is a copy as well: its dead letter was confirmed, and it
-- was never acknowledged. And a letter that was replayed after its place was gone is known when it comes again after it died once more.
-- Without a copy the older function answers, which processes of an earlier version still call.
create function arrive_in_lane(
  of_queue text, of_lane bytea, lock bigint, of_key bytea, given bigint, revived boolean, of_mark bytea, of_turn text, of_copy bytea
) returns table (place text, number bigint, charge text) language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  stands text;
begin
  if given is not null then
    select p.state into stands from lane_places p where p.queue = of_queue and p.lane = of_lane and p.number = given;
  end if;
  if (stands = 'dead' and not revived) or (
    stands is null and (given is null or revived) and of_copy is not null and (
      exists (select from lane_places p where p.queue = of_queue and p.lane = of_lane and p.copy = of_copy)
      or exists (select from lane_copies c where c.queue = of_queue and c.lane = of_lane and c.copy = of_copy and c.until > clock())
    )
  ) then
    return query select 'passed', null::bigint, null::text;
    return;
  end if;
  return query select * from arrive_in_lane(of_queue, of_lane, lock, of_key, given, revived, of_mark, of_turn);
end $$;
