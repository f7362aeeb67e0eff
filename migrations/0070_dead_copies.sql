-- A message that carries the number of a dead place, and that nobody put back, is a copy: its dead letter was confirmed, and it was
-- never acknowledged. And a letter that was replayed after its place was gone is known when it comes again after it died once more.
create or replace function arrive_in_lane(
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

-- Replayed, a letter is another message with the same number: what the first one came with is still known.
create trigger lane_places_other_copy after update of copy on lane_places for each row
when (old.copy is not null and new.copy is distinct from old.copy) execute function remember_lane_copy();
