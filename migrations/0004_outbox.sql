-- Messages written in the transactions of others, to be sent by a relay once those have committed.

create sequence outbox_ids;

create table outbox (
  id bigint primary key default nextval('outbox_ids'),
  destination text collate "C" not null,
  destination_group text collate "C",
  -- A hash of destination and key; null where order is of no concern.
  lane bigint,
  -- Another message of its lane is ahead of it; null until a relay has looked. Only relays look, since a transaction of
  -- somebody else may see the table as it was long ago. In each lane at most one is not behind.
  behind boolean,
  added_at timestamptz not null default clock(),
  -- When it may be claimed. While a relay has it, the end of its lease; infinity while it is set aside.
  due_at timestamptz not null default clock(),
  -- The claim it is out on; null while it waits.
  fence text collate "C",
  -- Sends that failed, and how many of them because the broker will not have the message.
  tries integer not null default 0,
  refusals integer not null default 0,
  -- Why the last one did.
  error text,
  set_aside_at timestamptz,
  -- As in messages.
  key bytea,
  headers bytea,
  properties bytea,
  body bytea not null
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);

alter table outbox alter column body set storage external;

create index outbox_new on outbox (id) where behind is null;
create index outbox_due on outbox (due_at) where not behind;
create index outbox_lanes on outbox (lane, id) where lane is not null;
create index outbox_set_aside on outbox (id) where set_aside_at is not null;

-- What was sent, where somebody wants to keep that for a while.
create table outbox_sent (
  id bigint primary key,
  destination text not null,
  destination_group text,
  added_at timestamptz not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  key bytea,
  headers bytea,
  properties bytea,
  body bytea not null
);

alter table outbox_sent alter column body set storage external;

create index outbox_sent_expiry on outbox_sent (expires_at);

-- Called inside somebody's own transaction, of whatever isolation. Whoever comes second with a lane waits for the end of
-- the first one's transaction, so that ids grow in the order of commits.
--
-- All parameters are text or bytea, which every driver and mapper sends alike.
create function add_to_outbox(
  to_destination text, to_group text, in_lane text, of_key bytea, of_headers bytea, of_properties bytea, of_body bytea,
  on_channel text
) returns text language plpgsql
set search_path from current
as $$
declare
  added bigint;
begin
  if in_lane is not null then
    perform pg_advisory_xact_lock(in_lane::bigint);
  end if;
  insert into outbox (destination, destination_group, lane, behind, key, headers, properties, body)
  values (
    to_destination, to_group, in_lane::bigint, case when in_lane is null then false end,
    of_key, of_headers, of_properties, of_body
  )
  returning id into added;
  if on_channel is not null then
    perform pg_notify(on_channel, '');
  end if;
  return added::text;
end $$;

-- Relays take turns at this table, each for one short statement. What the functions below see after it is what the one
-- before left; in a transaction that reads anything older than that, lanes would be torn.
create function lock_outbox() returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'an outbox is relayed in transactions that are "read committed", not "%"',
      current_setting('transaction_isolation') using errcode = 'feature_not_supported';
  end if;
  perform pg_advisory_xact_lock(hashtextextended(current_schema() || ' outbox', 0));
end $$;

-- Leases up to `at_most` messages of about `at_most_bytes` to a relay: the first of each lane that is due, and where
-- there is room those right behind it. Gives only their ids, in the order of each lane: an answer that is long waits for
-- whoever reads it, and so would the lock.
create function claim_outbox(
  claim text, at_most integer, at_most_bytes bigint, lease_ms double precision
) returns table (id bigint) language plpgsql
set search_path from current
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  moment timestamptz;
  firsts bigint[];
  lanes bigint[];
  room integer;
begin
  perform lock_outbox();
  moment := clock();
  update outbox o
  set behind = exists (
    select from outbox e where e.lane = o.lane and e.id <> o.id and (e.behind is not null or e.id < o.id)
  )
  where o.id = any (array(select n.id from outbox n where n.behind is null order by n.id limit 1000));

  with due as materialized (
    select o.id, o.lane, octet_length(o.body) as size from outbox o
    where not o.behind and o.due_at <= moment
    order by o.due_at limit at_most
    for no key update skip locked
  ), fitting as (
    select d.id, d.lane from (
      select due.id, due.lane, sum(due.size) over (rows between unbounded preceding and 1 preceding) as before from due
    ) d
    where coalesce(d.before, 0) < at_most_bytes
  )
  select array_agg(f.id), coalesce(array_agg(f.lane) filter (where f.lane is not null), '{}') into firsts, lanes
  from fitting f;

  room := at_most - coalesce(cardinality(firsts), 0);
  return query
    with followers as (
      select n.id from (
        select f.id, sum(f.size) over (order by f.place, f.id) as total
        from unnest(lanes) as l (lane)
        cross join lateral (
          select m.id, octet_length(m.body) as size, row_number() over (order by m.id) as place
          from outbox m where m.lane = l.lane and m.behind order by m.id
          limit ceil(room::numeric / greatest(cardinality(lanes), 1))
        ) f
        order by f.place, f.id limit room
      ) n
      where n.total < at_most_bytes
    ), claimed as (
      update outbox o set due_at = moment + lease_ms * interval '1 ms', fence = claim
      where o.id = any (firsts || array(select f.id from followers f))
      returning o.id, o.behind
    )
    select c.id from claimed c order by c.behind, c.id;
end $$;

-- The first of each of these lanes goes on to be claimed, unless one of its lane is already.
create function open_lanes(of_lanes bigint[]) returns void language sql
set search_path from current
set enable_seqscan = off set enable_bitmapscan = off
as $$
  update outbox set behind = false where id = any (array(
    select (select m.id from outbox m where m.lane = l.lane and m.behind order by m.id limit 1)
    from unnest(of_lanes) as l (lane)
    where not exists (select from outbox h where h.lane = l.lane and not h.behind)
  ))
$$;

-- What became of claimed messages: 'sent', 'failed' or 'refused' (again after the delay), 'set aside' or 'unsent' (nobody
-- tried). Gives the ids of those that were still out on that claim.
create function settle_outbox(
  ids bigint[], claims text[], outcomes text[], delays_ms double precision[], errors text[], keep_ms double precision
) returns table (id bigint) language plpgsql
set search_path from current
set enable_seqscan = off set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  moment timestamptz;
  lanes bigint[];
  sent bigint[];
begin
  perform lock_outbox();
  moment := clock();
  with gone as (
    delete from outbox o using unnest(ids, claims, outcomes) as s (id, claim, outcome)
    where o.id = any (ids) and o.id = s.id and o.fence = s.claim and s.outcome = 'sent'
    returning o.*
  ), kept as (
    insert into outbox_sent
    select g.id, g.destination, g.destination_group, g.added_at, moment, moment + keep_ms * interval '1 ms',
      g.key, g.headers, g.properties, g.body
    from gone g where keep_ms > 0
  )
  select array_agg(g.id), array_agg(distinct g.lane) filter (where g.lane is not null) into sent, lanes from gone g;
  perform open_lanes(lanes);
  delete from outbox_sent where id = any (array(
    select k.id from outbox_sent k where k.expires_at <= moment order by k.expires_at limit 2 * cardinality(ids)
  ));
  return query select unnest(sent);
  return query
    update outbox o
    set fence = null,
        due_at = case s.outcome when 'set aside' then 'infinity' else moment + s.delay_ms * interval '1 ms' end,
        set_aside_at = case s.outcome when 'set aside' then moment end,
        tries = o.tries + (s.outcome <> 'unsent')::integer,
        refusals = o.refusals + (s.outcome in ('refused', 'set aside'))::integer,
        error = coalesce(nullif(s.error, ''), o.error)
    from unnest(ids, claims, outcomes, delays_ms, errors) as s (id, claim, outcome, delay_ms, error)
    where o.id = any (ids) and o.id = s.id and o.fence = s.claim and s.outcome <> 'sent'
    returning o.id;
end $$;

-- Decides about messages that were set aside: they are tried again, or deleted. Gives the ids of those that were.
create function decide_outbox(ids bigint[], dropped boolean) returns table (id bigint) language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  decided bigint[];
  lanes bigint[];
begin
  perform lock_outbox();
  if dropped then
    with gone as (
      delete from outbox o where o.id = any (ids) and o.set_aside_at is not null returning o.id, o.lane
    )
    select array_agg(g.id), array_agg(distinct g.lane) filter (where g.lane is not null) into decided, lanes from gone g;
    perform open_lanes(lanes);
    return query select unnest(decided);
  else
    return query
      update outbox o set set_aside_at = null, due_at = clock(), tries = 0, refusals = 0
      where o.id = any (ids) and o.set_aside_at is not null returning o.id;
  end if;
end $$;
