-- Replays: what was planned, who agreed, what was sent, and what became of it.
--
-- A replay's items are frozen when it is planned. What happens to them later stands in columns of its own, and each of
-- those only moves forward. A message is sent only after its intent is committed (progress 'sending'); whoever finds an
-- intent of a runner that is gone cannot know whether it was sent, and says so ('in_doubt').

create table replays (
  id uuid primary key,
  state text collate "C" not null check (state in (
    'planned', 'awaiting_approval', 'approved', 'running', 'paused', 'settling', 'finished', 'halted', 'cancelled', 'rejected', 'expired'
  )),
  name text not null,
  -- What selected its letters, as it was asked for.
  query text not null,
  requested_by text not null,
  -- Why, in the words of whoever asked for approval.
  reason text,
  frozen_at timestamptz not null default clock(),
  expires_at timestamptz not null,
  policy_hash bytea not null,
  plan_hash bytea not null,
  -- JSON. The second only ever tightens the first.
  limits text not null,
  tightened text,
  redirect text,
  approvals_needed integer not null,
  approver_roles text[] not null,
  -- How many items the steps begun so far may have sent, and until when the outcomes of the last one are waited for.
  step_end integer not null default 0,
  settles_at timestamptz,
  -- What whoever resumed it last had seen of returns and unknown outcomes, and went on with: JSON.
  accepted text,
  -- Which guard stopped it, and what it saw: JSON.
  halted_by text,
  -- Whoever runs it. Each takes it over with an epoch of its own, and nothing is intended in the name of an older one.
  epoch integer not null default 0,
  lease_until timestamptz,
  started_by text,
  started_at timestamptz,
  ended_at timestamptz
);

create index replays_under_way on replays (state) where state in ('running', 'settling');
create trigger keep_plan before update of id, name, query, requested_by, frozen_at, policy_hash, plan_hash, limits, redirect,
  approvals_needed, approver_roles on replays for each row execute function refuse_change();
create trigger keep_replays before delete on replays for each row execute function refuse_change();

create table replay_items (
  replay_id uuid not null references replays,
  n integer not null,
  letter_id uuid not null,
  payload_sha256 bytea,
  revision integer not null,
  source text collate "C" not null,
  destination text,
  via text,
  strip text[] not null,
  decision text collate "C" not null check (decision in ('replay', 'ack_required', 'skip')),
  reason text collate "C" not null,
  -- What the reason is about: JSON.
  details text not null,
  -- Why it is not sent although it was planned to be.
  mark text collate "C" check (mark in ('excluded', 'drifted')),
  mark_reason text,
  acknowledged_by text,
  acknowledged_at timestamptz,
  progress text collate "C" not null default 'not_yet_sent' check (progress in (
    'not_yet_sent', 'sending', 'in_doubt', 'released', 'waiting', 'confirmed', 'presumed', 'suppressed', 'returned', 'unknown'
  )),
  epoch integer,
  sent_at timestamptz,
  settled_at timestamptz,
  primary key (replay_id, n)
);

create index replay_items_by_letter on replay_items (letter_id);
create index replay_items_by_progress on replay_items (replay_id, progress, n);
create trigger keep_items before update of replay_id, n, letter_id, payload_sha256, revision, source, destination, via, strip,
  decision, reason, details on replay_items for each row execute function refuse_change();
create trigger keep_all_items before delete on replay_items for each row execute function refuse_change();

create table replay_approvals (
  replay_id uuid not null references replays,
  actor text not null,
  at timestamptz not null default clock(),
  -- The approval hash it was given for.
  hash bytea not null,
  verdict text collate "C" not null check (verdict in ('approved', 'rejected', 'revoked')),
  reason text,
  broke_glass boolean not null default false
);

create index replay_approvals_of on replay_approvals (replay_id, at);
create trigger keep_approvals before update or delete on replay_approvals for each row execute function refuse_change();

-- What was mended, by its group. Recorded by people and by their deployments; a wrong one is retracted, not removed.
create table fixes (
  id uuid primary key,
  group_id uuid not null,
  fixed_at timestamptz not null,
  -- A commit, a version, a ticket: whatever people know it by.
  called text not null,
  recorded_by text not null,
  recorded_at timestamptz not null default clock(),
  retracted_by text,
  retracted_at timestamptz
);

create index fixes_of_group on fixes (group_id, fixed_at) where retracted_at is null;
create trigger keep_fixes before update of id, group_id, fixed_at, called, recorded_by, recorded_at on fixes
  for each row execute function refuse_change();
create trigger keep_all_fixes before delete on fixes for each row execute function refuse_change();

-- Moves letters that are in one of these states, and counts it. Gives those it moved; whoever came first has the others.
create function move_letters(ids uuid[], from_states text[], to_state text) returns uuid[] language plpgsql
set search_path from current
as $$
declare
  moved uuid[];
begin
  with locked as materialized (
    select l.id, l.state from letters l where l.id = any (ids) and l.state = any (from_states)
    order by l.id for no key update
  ), changed as (
    update letters l set state = to_state, changed_at = clock() from locked k
    where l.id = any (ids) and l.id = k.id
    returning l.id, l.group_id, l.source, l.queue, l.category, k.state as left_state
  ), counted as (
    insert into counter_deltas (group_id, source, queue, category, state, n, arrived, hour, at)
    select c.group_id, c.source, c.queue, c.category, s.state, sum(s.n), 0,
      date_trunc('hour', clock() at time zone 'UTC') at time zone 'UTC', clock()
    from changed c cross join lateral (values (c.left_state, -1), (to_state, 1)) as s (state, n)
    group by c.group_id, c.source, c.queue, c.category, s.state
  )
  select array_agg(c.id) into moved from changed c;
  return coalesce(moved, '{}');
end $$;

-- Appends to what happened to letters, which the caller has locked by moving them.
create function add_attempts(ids uuid[], of_kind text, of_replay text) returns void language sql
set search_path from current
as $$
  insert into attempts (letter_id, n, at, kind, replay)
  select i.id, coalesce((select max(a.n) from attempts a where a.letter_id = i.id), 0) + 1, clock(), of_kind, of_replay
  from unnest(ids) as i (id) order by i.id
$$;

-- Takes a replay over, if nobody has it. What the one before intended and did not report is in doubt from here on. Gives
-- the new epoch, or nothing.
create function lead_replay(which uuid, lease_ms double precision) returns table (epoch integer, doubtful integer) language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  doubted uuid[];
begin
  update replays r set epoch = r.epoch + 1, lease_until = clock() + lease_ms * interval '1 ms'
  where r.id = which and r.state in ('running', 'settling') and (r.lease_until is null or r.lease_until <= clock())
  returning r.epoch into epoch;
  if epoch is null then
    return;
  end if;
  with stale as (
    update replay_items i set progress = 'in_doubt' where i.replay_id = which and i.progress = 'sending' returning i.letter_id
  )
  select array_agg(s.letter_id) into doubted from stale s;
  perform move_letters(doubted, array['in_replay'], 'in_doubt');
  doubtful := coalesce(cardinality(doubted), 0);
  return next;
end $$;

-- The lease is kept, and the caller learns what the replay's state is; nothing when it is somebody else's by now.
create function keep_replay(which uuid, as_epoch integer, lease_ms double precision) returns text language sql
set search_path from current
as $$
  update replays set lease_until = clock() + lease_ms * interval '1 ms'
  where id = which and epoch = as_epoch and lease_until > clock() returning state
$$;

-- Commits the intent to send these items, in order, and claims their letters. Gives the numbers of those that may be sent
-- now: not those whose letters somebody else has, which have drifted. Nothing at all unless the caller still leads.
create function intend_items(which uuid, as_epoch integer, numbers integer[]) returns setof integer language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  claimed uuid[];
begin
  -- Shared with other windows of this runner; whoever pauses, cancels or takes over waits for the commit.
  perform from replays r
  where r.id = which and r.epoch = as_epoch and r.state = 'running' and r.lease_until > clock() for share;
  if not found then
    return;
  end if;
  select move_letters(array_agg(i.letter_id), array['open', 'returned'], 'in_replay') into claimed
  from replay_items i
  where i.replay_id = which and i.n = any (numbers) and i.progress = 'not_yet_sent' and i.mark is null;

  insert into sends (replay_id, n, letter_id, source, queue, payload_sha256, sent_at)
  select which, i.n, i.letter_id, i.source, i.destination, i.payload_sha256, clock()
  from replay_items i
  where i.replay_id = which and i.n = any (numbers) and i.progress = 'not_yet_sent' and i.letter_id = any (claimed);

  update replay_items i set mark = 'drifted', mark_reason = 'claimed'
  where i.replay_id = which and i.n = any (numbers) and i.progress = 'not_yet_sent' and i.mark is null
    and i.letter_id <> all (claimed);

  return query
    update replay_items i set progress = 'sending', epoch = as_epoch
    where i.replay_id = which and i.n = any (numbers) and i.progress = 'not_yet_sent' and i.mark is null
    returning i.n;
end $$;

-- The broker has them: that is known whoever leads by now, so what had been put in doubt meanwhile is not any more.
create function note_sent(which uuid, numbers integer[], called text) returns integer language plpgsql
set search_path from current
as $$
declare
  moved uuid[];
  noted uuid[];
begin
  with changed as (
    update replay_items i set progress = 'waiting', sent_at = clock()
    where i.replay_id = which and i.n = any (numbers) and i.progress in ('sending', 'in_doubt')
    returning i.letter_id
  )
  select array_agg(c.letter_id) into noted from changed c;
  moved := move_letters(noted, array['in_replay', 'in_doubt'], 'sent');
  update letters l set replays = l.replays + 1 where l.id = any (moved);
  perform add_attempts(moved, 'sent', called);
  return coalesce(cardinality(noted), 0);
end $$;

-- The broker refused them for good, so they are not there: their letters are as they were.
create function note_unsent(which uuid, numbers integer[], why text) returns void language plpgsql
set search_path from current
as $$
declare
  noted uuid[];
begin
  with changed as (
    update replay_items i set progress = 'not_yet_sent', mark = 'drifted', mark_reason = why
    where i.replay_id = which and i.n = any (numbers) and i.progress in ('sending', 'in_doubt')
    returning i.letter_id
  )
  select array_agg(c.letter_id) into noted from changed c;
  perform move_letters(noted, array['in_replay', 'in_doubt'],  'open');
  delete from sends s where s.replay_id = which and s.n = any (numbers);
end $$;

-- No answer, or one that says nothing: whether the broker has them is not known.
create function note_doubt(which uuid, numbers integer[]) returns void language plpgsql
set search_path from current
as $$
declare
  noted uuid[];
begin
  with changed as (
    update replay_items i set progress = 'in_doubt'
    where i.replay_id = which and i.n = any (numbers) and i.progress = 'sending'
    returning i.letter_id
  )
  select array_agg(c.letter_id) into noted from changed c;
  perform move_letters(noted, array['in_replay'], 'in_doubt');
end $$;

-- What became of messages that were sent. A later word may correct an earlier guess, never a certainty: what was presumed
-- or unknown may still be confirmed or come back, and a confirmed one may still come back.
create function settle_items(which uuid, numbers integer[], outcome text, called text) returns setof integer language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  over_states constant text[] := case outcome
    when 'returned' then array['waiting', 'presumed', 'unknown', 'confirmed', 'suppressed']
    when 'confirmed' then array['waiting', 'presumed', 'unknown']
    when 'suppressed' then array['waiting', 'presumed', 'unknown']
    else array['waiting'] end;
  to_state constant text := case outcome when 'returned' then 'returned' when 'unknown' then 'sent' else 'resolved' end;
  changed integer[];
  letters_changed uuid[];
  moved uuid[];
begin
  -- A consumer may be quicker than whoever sent it is with noting so: its word is proof that it was sent.
  if outcome in ('confirmed', 'suppressed', 'returned') then
    perform note_sent(which, numbers, called);
  end if;
  with settled as (
    update replay_items i set progress = outcome, settled_at = clock(), sent_at = coalesce(i.sent_at, clock())
    where i.replay_id = which and i.n = any (numbers) and i.progress = any (over_states)
    returning i.n, i.letter_id
  )
  select array_agg(s.n), array_agg(s.letter_id) into changed, letters_changed from settled s;
  if to_state <> 'sent' then
    moved := move_letters(letters_changed, array['sent', 'in_doubt', 'resolved'], to_state);
  end if;
  -- What failed when it came back is told by whoever took it in.
  if outcome not in ('unknown', 'returned') then
    perform add_attempts(moved, outcome, called);
  end if;
  return query select unnest(changed);
end $$;

-- What was not sent goes free: the replay ended before its turn.
create function release_items(which uuid) returns integer language sql
set search_path from current
as $$
  with freed as (
    update replay_items i set progress = 'released'
    where i.replay_id = which and i.progress = 'not_yet_sent' and i.mark is null
      and (i.decision = 'replay' or (i.decision = 'ack_required' and i.acknowledged_at is not null))
    returning 1
  )
  select count(*)::integer from freed
$$;

do $$
declare
  only_grows text;
begin
  foreach only_grows in array array['replays', 'replay_items', 'replay_approvals', 'fixes'] loop
    execute format('create trigger keep_rows before truncate on %I for each statement execute function refuse_change()', only_grows);
  end loop;
end $$;
