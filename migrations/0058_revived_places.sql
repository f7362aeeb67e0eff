-- Only a dead message that was put back runs again. A delivery of before its death may arrive late: it changes nothing, or the key
-- would wait for ever for a message that nobody has. As before otherwise; see 0056.
create or replace function arrive_in_lane(
  of_queue text, of_lane bytea, lock bigint, of_key bytea, given bigint, revived boolean, of_mark bytea, of_turn text
) returns table (place text, number bigint, charge text) language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  is_new boolean := given is null or revived;
  mine lane_places;
begin
  -- Mostly this is all: no lock, nothing written.
  if not exists (select from lane_places p where p.queue = of_queue and p.lane = of_lane) then
    return query select case when is_new then 'free' else 'passed' end, null::bigint, null::text;
    return;
  end if;
  perform lock_lane(lock);
  select p.* into mine from lane_places p
  where p.queue = of_queue and p.lane = of_lane and (p.number = given or (is_new and p.mark = of_mark))
  order by p.number limit 1;
  if mine.number is null and not is_new then
    return query select 'passed', null::bigint, null::text;
    return;
  end if;
  if mine.number is null then
    perform void_unsent(of_queue, of_lane);
    if not exists (select from lane_places p where p.queue = of_queue and p.lane = of_lane) then
      return query select 'free', null::bigint, null::text;
      return;
    end if;
    mine.number := append_to_lane(of_queue, of_lane, of_key, of_mark, of_turn, 'parked', null);
  end if;
  return query
    update lane_places p set turn = of_turn,
      state = case when not p.first then 'parked' when p.state = 'dead' and revived then 'waiting' else p.state end
    where p.queue = of_queue and p.lane = of_lane and p.number = mine.number
    returning case when p.first then 'first' else 'behind' end, p.number, p.charge;
end $$;
