-- Which keys of ordered queues have to wait, and who is next of each: one row a message that has left its place in its
-- queue. A key with no row is open. See src/stores/blocked-keys.ts for what the functions promise.

-- One for all lanes: a number is never given out again, so that a copy of a message that is done with can be told.
create sequence lane_numbers;

create table lane_places (
  queue text collate "C" not null,
  -- SHA-256 of the key: keys may be longer than an index takes.
  lane bytea not null,
  number bigint not null,
  -- The lowest number of its lane.
  first boolean not null,
  state text not null check (state in ('waiting', 'parked', 'released', 'dead')),
  -- The hand-over that may change it.
  turn text not null,
  -- Tells the message that does not carry its number yet; null once it does.
  mark bytea,
  charge text,
  key bytea not null,
  since timestamptz not null default clock(),
  primary key (queue, lane, number)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

create index lane_places_first on lane_places (queue, state) where first;
create index lane_places_unsent on lane_places (since) where mark is not null;

-- Who passes over the parked messages of a queue.
create table lane_passes (
  queue text collate "C" primary key,
  holder text not null,
  until timestamptz not null
);

create function first_of_lane(of_queue text, of_lane bytea) returns void language sql
set search_path from current
as $$
  update lane_places set first = true
  where queue = of_queue and lane = of_lane and not first and number = (
    select number from lane_places where queue = of_queue and lane = of_lane order by number limit 1
  )
$$;

-- Another message of the key is here, so the one that was to be sent on was settled by somebody else.
create function void_unsent(of_queue text, of_lane bytea) returns void language plpgsql
set search_path from current
as $$
begin
  delete from lane_places where queue = of_queue and lane = of_lane and mark is not null;
  if found then
    perform first_of_lane(of_queue, of_lane);
  end if;
end $$;

create function append_to_lane(
  of_queue text, of_lane bytea, of_key bytea, of_mark bytea, of_turn text, of_state text, of_charge text
) returns bigint language sql
set search_path from current
as $$
  insert into lane_places (queue, lane, number, first, state, turn, mark, charge, key)
  select of_queue, of_lane, nextval('lane_numbers'),
    not exists (select from lane_places p where p.queue = of_queue and p.lane = of_lane),
    of_state, of_turn, of_mark, of_charge, of_key
  returning number
$$;

-- Changes to a lane hold its lock until they commit, and look at it in statements that come after the lock.
create function arrive_in_lane(
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
    update lane_places p set turn = of_turn, state = case when p.first then p.state else 'parked' end
    where p.queue = of_queue and p.lane = of_lane and p.number = mine.number
    returning case when p.first then 'first' else 'behind' end, p.number, p.charge;
end $$;

create function enter_lane(
  of_queue text, of_lane bytea, lock bigint, of_key bytea, of_mark bytea, of_turn text, of_charge text
) returns bigint language plpgsql
set search_path from current
as $$
declare
  mine bigint;
begin
  perform lock_lane(lock);
  -- Numbers that were never sent on are void when the next message of their key comes, and some keys never come again.
  delete from lane_places where (queue, lane, number) in (
    select p.queue, p.lane, p.number from lane_places p
    where p.mark is not null and p.since < clock() - interval '7 days'
    order by p.since limit 10 for update skip locked
  );
  update lane_places p set turn = of_turn, state = 'waiting', charge = of_charge
  where p.queue = of_queue and p.lane = of_lane and p.mark = of_mark
  returning p.number into mine;
  if mine is null then
    perform void_unsent(of_queue, of_lane);
    mine := append_to_lane(of_queue, of_lane, of_key, of_mark, of_turn, 'waiting', of_charge);
  end if;
  return mine;
end $$;

create function state_of_lane(of_queue text, of_lane bytea) returns text language sql
set search_path from current
as $$
  select coalesce((
    select case when state = 'parked' and mark is null then 'parked' else 'blocked' end
    from lane_places where queue = of_queue and lane = of_lane and first
  ), 'open')
$$;

-- The key opens in the transaction that finds no number left.
create function leave_lane_place(of_queue text, of_lane bytea, lock bigint, given bigint, of_turn text) returns text
language plpgsql set search_path from current
as $$
declare
  owner text;
begin
  perform lock_lane(lock);
  select p.turn into owner from lane_places p where p.queue = of_queue and p.lane = of_lane and p.number = given;
  if owner <> of_turn then
    return 'lost';
  end if;
  delete from lane_places p where p.queue = of_queue and p.lane = of_lane and p.number = given;
  perform first_of_lane(of_queue, of_lane);
  return state_of_lane(of_queue, of_lane);
end $$;

create function release_lane(of_queue text, of_lane bytea, lock bigint) returns boolean language plpgsql
set search_path from current
as $$
begin
  perform lock_lane(lock);
  delete from lane_places where queue = of_queue and lane = of_lane and first and state = 'dead';
  if not found then
    return false;
  end if;
  perform first_of_lane(of_queue, of_lane);
  return true;
end $$;
