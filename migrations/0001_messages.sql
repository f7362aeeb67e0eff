-- The queues of the PostgreSQL transport: one row a message, whatever its queue.
--
-- Every name here is found through the search path, so that the tables can live in any schema:
--   begin; create schema dlo; set local search_path to dlo, pg_temp; \i 0001_messages.sql

-- What leases and due times go by. Unlike now() it does not stand still inside a transaction.
create function clock() returns timestamptz language sql volatile as $$ select clock_timestamp() $$;

create sequence message_ids;

-- Each hand-over takes a number that no other ever had, so a receipt of an earlier one is worth nothing.
create sequence fences;

create table messages (
  id bigint primary key default nextval('message_ids'),
  queue text collate "C" not null,
  -- A hash of queue and key; null without a key.
  lane bigint,
  -- Another message of its lane is ahead of it. In each lane exactly one is not behind: the one with the lowest id.
  behind boolean not null default false,
  sent_at timestamptz not null default clock(),
  -- When it may be taken. While it is out, the end of its lease: what nobody settles in time becomes due again.
  due_at timestamptz not null default clock(),
  -- The hand-over it is out on; null while it waits.
  fence bigint,
  deliveries integer not null default 0,
  -- It was out before, and nobody heard what became of it.
  redelivered boolean not null default false,
  key bytea,
  -- JSON in UTF-8: [[name, value], ...]. Text, booleans, null and lists are themselves; all else is an object with one
  -- field: bytes (base64), integer, timestamp (decimal), double, table. See header-codec.ts.
  headers bytea,
  properties bytea,
  body bytea not null,
  -- The body is UTF-8 without NUL, so that it can be handed over as text. False where nobody made sure of it.
  is_text boolean not null default false
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);

-- Bodies are mostly compressed or short already: compressing them would cost a quarter of the rate and gain little.
alter table messages alter column body set storage external;

create index messages_due on messages (queue, behind, due_at);
create index messages_lanes on messages (lane, id) where lane is not null;

-- Gives out up to `at_most` messages that are due, of about `at_most_bytes` together, at least one.
--
-- A function because the plan must not depend on statistics: those of a queue are out of date whenever they matter, and
-- sorting a long queue for each hand-over is how it never gets short again.
--
-- Bodies that are text come as `text`: bytes travel as twice as many digits, which both sides have to write and read. Only
-- where the database is in UTF-8 too: in another encoding some characters have no place.
create function take_messages(
  from_queue text, at_most integer, at_most_bytes bigint, lease_ms double precision, ordered boolean
) returns table (
  id bigint, fence bigint, lane bigint, deliveries integer, redelivered boolean,
  key bytea, headers bytea, properties bytea, text text, bytes bytea
) language plpgsql
set search_path from current
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  moment timestamptz := clock();
  hand_over bigint := nextval('fences');
  unicode boolean := getdatabaseencoding() = 'UTF8';
  room integer := at_most;
  taken integer;
  followers boolean;
begin
  -- Whoever does not ask for order also gets what is behind another message of its lane.
  foreach followers in array case when ordered then array[false] else array[false, true] end loop
    return query
      with due as materialized (
        select m.id, octet_length(m.body) as size
        from messages m
        where m.queue = from_queue and m.behind = followers and m.due_at <= moment
        order by m.due_at
        limit room
        for no key update skip locked
      ), fitting as (
        select d.id from (
          select due.id, sum(due.size) over (rows between unbounded preceding and 1 preceding) as before from due
        ) d
        where coalesce(d.before, 0) < at_most_bytes
      )
      update messages m
      set due_at = moment + lease_ms * interval '1 ms',
          redelivered = m.redelivered or m.fence is not null,
          fence = hand_over,
          deliveries = m.deliveries + 1
      where m.id = any (array(select f.id from fitting f))
      returning m.id, m.fence, m.lane, m.deliveries, m.redelivered, m.key, m.headers, m.properties,
        case when m.is_text and unicode then convert_from(m.body, 'UTF8') end,
        case when m.is_text and unicode then null else m.body end;
    get diagnostics taken = row_count;
    room := room - taken;
    exit when room <= 0;
  end loop;
end $$;

-- In how many milliseconds the next message of a queue is due, or the next lease over; null for an empty queue.
create function next_due_in_ms(of_queue text) returns double precision language plpgsql
set search_path from current
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select ceil(extract(epoch from m.due_at - clock()) * 1000)
    from messages m where m.queue = of_queue and not m.behind order by m.due_at limit 1
  );
end $$;

-- Both sides of a lane hold its lock until they commit. So ids grow in the order in which messages become visible, and
-- whoever comes behind a message is seen by whoever removes it. The looks below must come after the lock and see what
-- was committed before it: only a transaction that reads what is committed does.
create function lock_lane(lane bigint) returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'messages with a key are sent and settled in transactions that are "read committed", not "%"',
      current_setting('transaction_isolation') using errcode = 'feature_not_supported';
  end if;
  perform pg_advisory_xact_lock(lane);
end $$;

-- Removes messages that are still out on the hand-overs named. All lanes are locked before a row is, in the order given:
-- locks taken as rows come up would be taken in any order, and two consumers would wait for each other.
create function acknowledge_messages(ids bigint[], fences bigint[], lanes bigint[]) returns void language plpgsql
set search_path from current
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
begin
  perform lock_lane(l) from unnest(lanes) as l;
  delete from messages m using unnest(ids, fences) as given (id, fence)
  where m.id = given.id and m.fence = given.fence;
end $$;

create function join_lane() returns trigger language plpgsql
set search_path from current
set enable_seqscan = off set enable_bitmapscan = off
as $$
begin
  perform lock_lane(new.lane);
  new.id := nextval('message_ids');
  new.behind := exists (select from messages m where m.lane = new.lane);
  return new;
end $$;

create trigger join_lane before insert on messages
  for each row when (new.lane is not null) execute function join_lane();

create function leave_lane() returns trigger language plpgsql
set search_path from current
set enable_seqscan = off set enable_bitmapscan = off
as $$
begin
  -- The transport locks all lanes of a statement before, and in order; this is for rows deleted by hand.
  perform lock_lane(old.lane);
  -- The row lock waits for whoever is just removing the next one, and then goes on to the one after it.
  update messages set behind = false
  where behind and id = (select m.id from messages m where m.lane = old.lane order by m.id limit 1 for no key update);
  return null;
end $$;

create trigger leave_lane after delete on messages
  for each row when (old.lane is not null and not old.behind) execute function leave_lane();
