-- What may be intended, and what is known of a send, when more than one copy or more than one sender is about.

-- As before, but of a second copy: that the broker refused it says nothing of the first, which may have arrived. It is in doubt
-- as it was, and the send stays known, so that a return still finds its letter.
create or replace function note_unsent(which uuid, as_epoch integer, numbers integer[], why text) returns void language plpgsql
set search_path from current
as $$
declare
  freed uuid[];
  doubted uuid[];
begin
  with changed as (
    update replay_items i set
      progress = case when i.doubted_at is null then 'not_yet_sent' else 'in_doubt' end,
      mark = case when i.doubted_at is null then 'drifted' else i.mark end,
      mark_reason = case when i.doubted_at is null then why else i.mark_reason end
    where i.replay_id = which and i.n = any (numbers) and i.epoch = as_epoch and i.progress in ('sending', 'in_doubt')
    returning i.n, i.letter_id, i.progress
  ), forgotten as (
    delete from sends s using changed c where s.replay_id = which and s.n = c.n and c.progress = 'not_yet_sent'
  )
  select array_agg(c.letter_id) filter (where c.progress = 'not_yet_sent'),
    array_agg(c.letter_id) filter (where c.progress = 'in_doubt')
  into freed, doubted from changed c;
  perform move_letters(freed, array['in_replay', 'in_doubt'], 'open');
  perform move_letters(doubted, array['in_replay'], 'in_doubt');
end $$;

-- The number under which the next window of a replay is intended; null unless the caller still leads and sending is not stopped.
-- Locks in the order of whoever starts a replay: whoever pauses, takes over or stops all sending waits for the commit. A wait for
-- outcomes that had begun is void: it would be over too soon for what is sent now.
create function next_intent(which uuid, as_epoch integer) returns integer language plpgsql
set search_path from current
as $$
declare
  number integer;
begin
  perform from replays r
  where r.id = which and r.epoch = as_epoch and r.state = 'running' and r.lease_until > clock() for no key update;
  if not found then
    return null;
  end if;
  perform from sending s where s.stopped_by is null for share;
  if not found then
    return null;
  end if;
  update replays r set intents = r.intents + 1, settles_at = null where r.id = which returning r.intents into number;
  return number;
end $$;

-- As before, under `next_intent`.
create or replace function intend_items(
  which uuid, as_epoch integer, numbers integer[], noted_sources text[], noted_queues text[], notes text[]
) returns table (n integer, intent integer) language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  claimed uuid[];
  number constant integer := next_intent(which, as_epoch);
begin
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

-- As before, under `next_intent`.
create or replace function intend_again(which uuid, as_epoch integer, numbers integer[]) returns table (n integer, intent integer)
language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  number constant integer := next_intent(which, as_epoch);
  claimed uuid[];
begin
  if number is null then
    return;
  end if;
  with changed as (
    update replay_items i set progress = 'sending', epoch = as_epoch, intent = number
    where i.replay_id = which and i.n = any (numbers) and i.progress = 'in_doubt'
    returning i.letter_id
  )
  select array_agg(c.letter_id) into claimed from changed c;
  perform move_letters(claimed, array['in_doubt'], 'in_replay');
  return query select i.n, i.intent from replay_items i where i.replay_id = which and i.intent = number;
end $$;
