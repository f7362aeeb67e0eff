-- The ledger: every dead letter the office holds, what it was taken for, and what was done with it.
--
-- Letters, bodies, attempts and classifications are partitioned by id, and ids carry the time of arrival (48 bits of
-- milliseconds, then chance), so that one lookup reads one partition and old letters go by the partition.
-- Bodies, attempts, classifications, stacks and the audit log only grow: triggers refuse everything else.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: what the ledger recorded is never changed', lower(tg_op), tg_table_name
    using errcode = 'restrict_violation', hint = 'Append to it instead. Old partitions are dropped whole, by retention.';
end $$;

-- The lowest id of that moment.
create function first_id_at(moment timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

create table letters (
  id uuid not null,
  -- Where it was found, and the queue it failed in. Letters have no foreign keys: partitions must come and go.
  source text collate "C" not null,
  broker text collate "C" not null,
  queue text collate "C" not null,
  drained_from text collate "C" not null,
  state text collate "C" not null default 'open'
    check (state in ('open', 'in_replay', 'sent', 'resolved', 'returned', 'in_doubt', 'dropped', 'compensated', 'escalated', 'expired')),
  -- As it is now, and as it was on arrival. The whole history is in classifications.
  category text collate "C" not null
    check (category in ('transient', 'schema_mismatch', 'business_rule', 'poison', 'lost_context', 'unknown')),
  was text collate "C" not null,
  confidence real not null,
  rule text not null,
  side_effect text collate "C" not null,
  -- Of the failure alone; the group also of the queue.
  fingerprint bytea not null,
  group_id uuid not null,
  grouping_version integer not null,
  -- Cut, and with what must not be shown taken out. The error as it came is in the body's headers.
  error_class text collate "C",
  error_message text,
  error_code text collate "C",
  attempts integer,
  replays integer not null default 0,
  first_failed_at timestamptz,
  failed_at timestamptz not null,
  -- How far failed_at can be trusted: the letter's own word, the broker's, or only that it was here by then.
  failed_at_by text collate "C" not null check (failed_at_by in ('letter', 'broker', 'arrival')),
  arrived_at timestamptz not null,
  changed_at timestamptz not null,
  size_bytes integer not null,
  type text collate "C",
  key text collate "C",
  order_key text collate "C",
  tenant text collate "C",
  trace text collate "C",
  consumer text collate "C",
  primary key (id)
) partition by range (id);

create index letters_by_queue on letters (queue, state, id);
create index letters_by_group on letters (group_id, id);
create index letters_by_category on letters (category, state, id);
create index letters_by_queue_and_class on letters (queue, error_class, id);
create index letters_by_class on letters (error_class, id);
create index letters_by_order on letters (queue, order_key, id) where order_key is not null;

create trigger keep_letters before delete on letters for each row execute function refuse_change();
-- Only statements that name these columns pay for it.
create trigger keep_arrival before update of id, source, broker, queue, drained_from, was, fingerprint, arrived_at, failed_at
  on letters for each row execute function refuse_change();

create table bodies (
  letter_id uuid not null,
  -- Exactly as it came. Null where it is kept by reference, or where nobody had it.
  body bytea,
  -- Where it is kept when it is too large for a row: the name of a store and the hash, such as fs:9f86d081.
  body_ref text collate "C",
  sha256 bytea,
  -- As in messages. What the broker says beside headers is in properties.
  headers bytea,
  properties bytea,
  message_key bytea,
  -- Where it was when it was found: the broker's own position, and its routing.
  position text collate "C",
  exchange text,
  routing_key text,
  -- What its dialect made of it: JSON in UTF-8, which may hold what jsonb refuses.
  reading bytea not null,
  stack_id bytea,
  -- What was too long, with its full length: JSON {"headers": 2000000}; null where nothing was cut.
  cut text,
  -- Ids by which people look for it: its key, message id, what its body calls an id.
  keys text[] not null,
  primary key (letter_id)
) partition by range (letter_id);

create index bodies_by_key on bodies using gin (keys);
create trigger keep_bodies before update or delete on bodies for each row execute function refuse_change();

-- What happened after it came here. Earlier attempts are in the letter's own headers.
create table attempts (
  letter_id uuid not null,
  n integer not null,
  at timestamptz not null,
  kind text collate "C" not null check (kind in ('sent', 'returned', 'confirmed', 'presumed', 'suppressed')),
  replay text collate "C",
  -- Of a return: what failed this time.
  error_class text collate "C",
  error_message text,
  details text not null default '{}',
  primary key (letter_id, n)
) partition by range (letter_id);

create trigger keep_attempts before update or delete on attempts for each row execute function refuse_change();

create table classifications (
  letter_id uuid not null,
  -- 1 is the one on arrival.
  n smallint not null,
  at timestamptz not null,
  category text collate "C" not null,
  confidence real not null,
  rule text not null,
  why text not null,
  side_effect text collate "C" not null,
  runner_up text collate "C",
  fingerprint bytea not null,
  -- The version of the policy that had its say; null where only what is built in did.
  policy_version integer,
  -- Who said so, where it was a person.
  by text,
  -- The words of the error, as people search for them.
  words tsvector not null,
  primary key (letter_id, n)
) partition by range (letter_id);

create index classifications_by_word on classifications using gin (words);
create trigger keep_classifications before update or delete on classifications
  for each row execute function refuse_change();

-- Makes the partitions for the week of that moment, if they are not there. With the rights of whoever made the schema, so
-- that an office needs no more than to read and write.
create function make_partitions(moment timestamptz) returns void language plpgsql security definer
set search_path from current
as $$
declare
  week constant bigint := floor(extract(epoch from moment) / 604800);
  starts constant timestamptz := to_timestamp(week * 604800);
  suffix constant text := to_char(starts at time zone 'UTC', 'YYYYMMDD');
  parent text;
  part text;
begin
  -- Asked without the lock first: this is called often and has nothing to do mostly.
  if to_regclass('classifications_' || suffix) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(current_schema() || ' partitions', 0));
  foreach parent in array array['letters', 'bodies', 'attempts', 'classifications'] loop
    part := parent || '_' || suffix;
    continue when to_regclass(part) is not null;
    -- Attaching a table that is there already keeps nobody waiting who reads or writes; making it in place would.
    execute format('create table %I (like %I including all)', part, parent);
    execute format('create trigger keep_all before truncate on %I for each statement execute function refuse_change()', part);
    -- Rows of a few KB stay where they are, uncompressed: compressing them costs a third of the intake.
    execute format('alter table %I set (toast_tuple_target = 8160)', part);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)',
      parent, part, first_id_at(starts), first_id_at(starts + interval '7 days'));
  end loop;
end $$;

create table stacks (
  -- Stored once in each week that has it, so that it can go with the letters of that week.
  week date not null,
  id bytea not null,
  stack text not null,
  primary key (week, id)
);

create trigger keep_stacks before update on stacks for each row execute function refuse_change();

-- One drain of one queue, from when it connects to when it ends or is taken for dead.
create table drain_sessions (
  id uuid primary key,
  source text collate "C" not null,
  queue text collate "C" not null,
  actor text not null,
  started_at timestamptz not null default clock(),
  lease_until timestamptz not null,
  ended_at timestamptz
);

create index drain_sessions_open on drain_sessions (source, queue) where ended_at is null;

-- What tells letters apart. Not partitioned and never emptied: a second drain of a log must find what the first one took,
-- also when its letters are long gone.
create table letter_keys (
  key bytea primary key,
  letter_id uuid not null,
  -- Where the broker has no positions: what the message was, and the drain that had it in hand last.
  digest bytea,
  session_id uuid
);

create index letter_keys_by_digest on letter_keys (digest) where digest is not null;

-- For second deliveries where the broker has no positions: finds for each digest (32 bytes each, one after the other) a
-- letter that an ended drain committed but did not acknowledge, and makes it this drain's. Each can be found once.
create function resolve_redelivered(
  mine uuid, of_source text, of_queue text, digests bytea, how_many integer
) returns table (outcome text, letter_id uuid) language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  wanted bytea;
  found_key bytea;
  found_letter uuid;
begin
  -- Waits for what such a drain is just committing, so that the looks below see it.
  update drain_sessions set ended_at = clock()
  where source = of_source and queue = of_queue and ended_at is null and lease_until <= clock() and id <> mine;
  for place in 0 .. how_many - 1 loop
    wanted := substr(digests, place * 32 + 1, 32);
    found_key := null;
    select k.key, k.letter_id into found_key, found_letter
    from letter_keys k join drain_sessions s on s.id = k.session_id
    where k.digest = wanted and k.session_id <> mine and s.ended_at is not null
    order by k.letter_id limit 1 for update of k;
    if found_key is not null then
      update letter_keys set session_id = mine where key = found_key;
      outcome := 'merged';
      letter_id := found_letter;
    else
      outcome := case when exists (
        select from letter_keys k join drain_sessions s on s.id = k.session_id
        where k.digest = wanted and k.session_id <> mine and s.ended_at is null
      ) then 'undecided' else 'new' end;
      letter_id := null;
    end if;
    return next;
  end loop;
end $$;

-- Every message a replay has sent. One that comes back is recognised only by what stands here.
create table sends (
  replay_id uuid not null,
  n integer not null,
  letter_id uuid not null,
  source text collate "C" not null,
  queue text collate "C" not null,
  payload_sha256 bytea not null,
  sent_at timestamptz not null,
  returned_at timestamptz,
  primary key (replay_id, n)
);

create index sends_by_payload on sends (queue, payload_sha256);

create table queues (
  source text collate "C" not null,
  queue text collate "C" not null,
  broker text collate "C" not null,
  first_seen_at timestamptz not null default clock(),
  primary key (source, queue)
);

-- A group is a queue and a fingerprint; its id follows from them. Counters are folded in from deltas.
create table groups (
  id uuid primary key,
  source text collate "C" not null,
  queue text collate "C" not null,
  fingerprint bytea not null,
  -- What its letters have in common, ids and numbers taken out.
  title text not null,
  error_class text collate "C",
  category text collate "C" not null,
  first_letter_id uuid not null,
  total bigint not null default 0,
  open bigint not null default 0,
  first_arrived_at timestamptz,
  last_arrived_at timestamptz
) with (fillfactor = 70);

create index groups_by_queue on groups (queue);
create index groups_open on groups (open desc) where open > 0;

-- Groups are put together and taken apart by people, for what comes later too. Applied in order of version.
create table group_changes (
  version integer primary key,
  kind text collate "C" not null check (kind in ('merge', 'split')),
  group_id uuid not null,
  into_group_id uuid not null,
  -- Of a split: which letters go.
  condition text,
  actor text not null,
  at timestamptz not null default clock()
);

create trigger keep_group_changes before update or delete on group_changes for each row execute function refuse_change();

-- Changes of counters, one row for each group, category and state that a transaction touched. Adding to the counters
-- themselves would make all writers wait for each other.
create sequence counter_delta_ids;
create table counter_deltas (
  id bigint primary key default nextval('counter_delta_ids'),
  group_id uuid not null,
  source text collate "C" not null,
  queue text collate "C" not null,
  category text collate "C" not null,
  state text collate "C" not null,
  n integer not null,
  -- How many of n are arrivals, and in which hour.
  arrived integer not null,
  hour timestamptz not null,
  at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);

create table counters (
  source text collate "C" not null,
  queue text collate "C" not null,
  category text collate "C" not null,
  state text collate "C" not null,
  n bigint not null,
  primary key (source, queue, category, state)
) with (fillfactor = 50);

create table group_hours (
  group_id uuid not null,
  hour timestamptz not null,
  n bigint not null,
  primary key (group_id, hour)
) with (fillfactor = 70);

-- States in which a letter waits for somebody to decide.
create function is_open(state text) returns boolean language sql immutable as $$
  select state in ('open', 'returned')
$$;

-- Adds up to `at_most` deltas to the counters. One at a time; who comes second has nothing to do. Gives how many it took.
create function fold_counters(at_most integer) returns integer language plpgsql
set search_path from current
as $$
declare
  ids bigint[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended(current_schema() || ' counters', 0)) then
    return 0;
  end if;
  select array_agg(d.id) into ids from (select id from counter_deltas order by id limit at_most) d;
  if ids is null then
    return 0;
  end if;
  insert into counters as c (source, queue, category, state, n)
  select d.source, d.queue, d.category, d.state, sum(d.n) from counter_deltas d where d.id = any (ids)
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (source, queue, category, state) do update set n = c.n + excluded.n;

  insert into group_hours as h (group_id, hour, n)
  select d.group_id, d.hour, sum(d.arrived) from counter_deltas d where d.id = any (ids) and d.arrived > 0
  group by 1, 2 order by 1, 2
  on conflict (group_id, hour) do update set n = h.n + excluded.n;

  update groups g
  set total = g.total + t.arrived, open = g.open + t.open,
      first_arrived_at = least(g.first_arrived_at, t.first_at), last_arrived_at = greatest(g.last_arrived_at, t.last_at)
  from (
    select d.group_id, sum(d.arrived) as arrived, coalesce(sum(d.n) filter (where is_open(d.state)), 0) as open,
      min(d.at) filter (where d.arrived > 0) as first_at, max(d.at) filter (where d.arrived > 0) as last_at
    from counter_deltas d where d.id = any (ids) group by d.group_id
  ) t
  where g.id = t.group_id;

  delete from counter_deltas where id = any (ids);
  return cardinality(ids);
end $$;

create table policy_versions (
  version integer primary key,
  hash bytea not null,
  document bytea not null,
  actor text not null,
  applied_at timestamptz not null default clock()
);

create trigger keep_policy_versions before update or delete on policy_versions
  for each row execute function refuse_change();

-- Who did what. Each row's hash is that of the one before and its own bytes; the head is where the chain goes on.
create table audit_log (
  n bigint primary key,
  -- JSON in UTF-8: the bytes that were hashed.
  entry bytea not null,
  hash bytea not null
);

create trigger keep_audit before update or delete on audit_log for each row execute function refuse_change();

create table audit_head (
  one boolean primary key default true check (one),
  n bigint not null,
  hash bytea not null
) with (fillfactor = 10);

insert into audit_head (n, hash) values (0, sha256('dead-letter-office audit log, version 1'));

-- The last statement of a transaction, so that nobody waits for it longer than the commit takes. Lock and read are one:
-- apart, they would see different moments, and the chain would fork.
create function append_audit(of_entry bytea) returns bigint language sql
set search_path from current
as $$
  with moved as (
    update audit_head h set n = h.n + 1, hash = sha256(h.hash || of_entry) returning h.n, h.hash
  )
  insert into audit_log (n, entry, hash) select m.n, of_entry, m.hash from moved m returning n
$$;

do $$
declare
  only_grows text;
begin
  foreach only_grows in array array['letters', 'bodies', 'attempts', 'classifications', 'stacks', 'letter_keys',
    'group_changes', 'policy_versions', 'audit_log'] loop
    execute format('create trigger keep_all before truncate on %I for each statement execute function refuse_change()',
      only_grows);
  end loop;
end $$;
