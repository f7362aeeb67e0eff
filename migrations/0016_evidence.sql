-- Sends that a crash left in doubt, settled by what their broker knows of them.

-- At the destination, where that is a PostgreSQL: each send of a replay once, in the transaction that sends. Whoever looks for a
-- send that is not here bars it: an older intent cannot come true any more, however late its sender wakes up.
create table marked_sends (
  replay_id uuid not null,
  n integer not null,
  -- The latest that was heard of; later ones may still come.
  intent integer not null,
  was_sent boolean not null,
  at timestamptz not null default clock(),
  primary key (replay_id, n)
);

create index marked_sends_by_age on marked_sends (at);

-- In the ledger: each window of a replay is intended under a number of its own, with what has to be known to look for it.
alter table replays add column intents integer not null default 0;
alter table replay_items add column intent integer;

create table send_notes (
  replay_id uuid not null references replays,
  intent integer not null,
  source text collate "C" not null,
  queue text not null,
  note text not null,
  primary key (replay_id, intent, source, queue)
);

drop function intend_items(uuid, integer, integer[]);

-- Commits the intent to send these items, in order, and claims their letters. Gives the numbers of those that may be sent
-- now: not those whose letters somebody else has, which have drifted. Nothing at all unless the caller still leads.
create function intend_items(
  which uuid, as_epoch integer, numbers integer[], noted_sources text[], noted_queues text[], notes text[]
) returns table (n integer, intent integer) language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  claimed uuid[];
  number integer;
begin
  -- Whoever pauses, cancels or takes over waits for the commit.
  update replays r set intents = r.intents + 1
  where r.id = which and r.epoch = as_epoch and r.state = 'running' and r.lease_until > clock()
  returning r.intents into number;
  if number is null then
    return;
  end if;
  insert into send_notes (replay_id, intent, source, queue, note)
  select which, number, s.source, s.queue, s.note
  from unnest(noted_sources, noted_queues, notes) as s (source, queue, note);

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
    update replay_items i set progress = 'sending', epoch = as_epoch, intent = number
    where i.replay_id = which and i.n = any (numbers) and i.progress = 'not_yet_sent' and i.mark is null
    returning i.n, i.intent;
end $$;

drop function note_unsent(uuid, integer[], text);
drop function note_doubt(uuid, integer[]);

-- The broker refused them for good, so they are not there: their letters are as they were. Only of what was intended under this
-- epoch: a later leader may be sending them by now.
create function note_unsent(which uuid, as_epoch integer, numbers integer[], why text) returns void language plpgsql
set search_path from current
as $$
declare
  noted uuid[];
begin
  with changed as (
    update replay_items i set progress = 'not_yet_sent', mark = 'drifted', mark_reason = why
    where i.replay_id = which and i.n = any (numbers) and i.epoch = as_epoch and i.progress in ('sending', 'in_doubt')
    returning i.n, i.letter_id
  ), forgotten as (
    delete from sends s using changed c where s.replay_id = which and s.n = c.n
  )
  select array_agg(c.letter_id) into noted from changed c;
  perform move_letters(noted, array['in_replay', 'in_doubt'], 'open');
end $$;

-- No answer, or one that says nothing: whether the broker has them is not known.
create function note_doubt(which uuid, as_epoch integer, numbers integer[]) returns void language plpgsql
set search_path from current
as $$
declare
  noted uuid[];
begin
  with changed as (
    update replay_items i set progress = 'in_doubt'
    where i.replay_id = which and i.n = any (numbers) and i.epoch = as_epoch and i.progress = 'sending'
    returning i.letter_id
  )
  select array_agg(c.letter_id) into noted from changed c;
  perform move_letters(noted, array['in_replay'], 'in_doubt');
end $$;

-- There is proof that these intents never came true, and never will: their turn comes again, unless the replay has ended.
create function note_absent(which uuid, numbers integer[], of_intents integer[]) returns void language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  is_over boolean;
  noted uuid[];
begin
  select r.state not in ('running', 'settling', 'paused', 'halted') into is_over from replays r where r.id = which for no key update;
  with changed as (
    update replay_items i set progress = case when is_over then 'released' else 'not_yet_sent' end, doubted_at = null
    from unnest(numbers, of_intents) as g (n, intent)
    where i.replay_id = which and i.n = g.n and i.intent = g.intent and i.progress = 'in_doubt'
    returning i.n, i.letter_id
  ), forgotten as (
    delete from sends s using changed c where s.replay_id = which and s.n = c.n
  )
  select array_agg(c.letter_id) into noted from changed c;
  perform move_letters(noted, array['in_doubt'], 'open');
end $$;

-- How long letters took to come back from a queue.
create index sends_returned on sends (queue, returned_at) where returned_at is not null;
