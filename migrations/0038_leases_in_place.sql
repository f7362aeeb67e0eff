-- Hand-overs that leave the index of what is due alone.
--
-- While the end of a lease stood in due_at, each hand-over wrote a message's row anew in another page and again into all of its
-- indexes: two thirds of what a message cost the server. Now the lease has a column that no index looks at, and pages
-- keep room for one more version of each of their rows, so that the row changes where it is.

-- When its lease ends, while it is out (its fence is set). Null: due_at says so, as for hand-overs by older versions and for those that
-- were extended. Those go to their place in the index again: what stays out for long would be passed over in each search.
alter table messages add column leased_until timestamptz;

alter table messages set (fillfactor = 50);

-- As before, but for where the lease is written.
create or replace function take_messages(
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
          and (m.fence is null or m.leased_until is null or m.leased_until <= moment)
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
      set leased_until = moment + lease_ms * interval '1 ms',
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
create or replace function next_due_in_ms(of_queue text) returns double precision language plpgsql
set search_path from current
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set plan_cache_mode = force_generic_plan
as $$
declare
  moment timestamptz := clock();
  next_due timestamptz;
begin
  if exists (
    select from messages m
    where m.queue = of_queue and not m.behind and m.due_at <= moment
      and (m.fence is null or m.leased_until is null or m.leased_until <= moment)
  ) then
    return 0;
  end if;
  next_due := least(
    (select min(m.leased_until) from messages m where m.queue = of_queue and not m.behind and m.due_at <= moment),
    (select m.due_at from messages m where m.queue = of_queue and not m.behind and m.due_at > moment order by m.due_at limit 1)
  );
  return ceil(extract(epoch from next_due - moment) * 1000);
end $$;
