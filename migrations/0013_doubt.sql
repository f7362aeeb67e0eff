-- Sends in doubt: since when they are, and what a person says about them when no evidence comes.

-- Whoever was sending may have been asleep, and wake up. Nobody decides before that is out of the question, and that is counted
-- from here.
alter table replay_items add column doubted_at timestamptz;

create function note_doubt_time() returns trigger language plpgsql
set search_path from current
as $$
begin
  new.doubted_at := clock();
  return new;
end $$;

create trigger time_doubt before update of progress on replay_items for each row
  when (new.progress = 'in_doubt' and old.progress <> 'in_doubt') execute function note_doubt_time();

-- A replay that ended while its sender was dying is never taken over, so nobody else puts in doubt what that one had begun.
create function doubt_abandoned(which uuid) returns void language plpgsql
set search_path from current
as $$
declare
  doubted uuid[];
begin
  with stale as (
    update replay_items i set progress = 'in_doubt' from replays r
    where r.id = which and r.state not in ('running', 'settling') and (r.lease_until is null or r.lease_until <= clock())
      and i.replay_id = which and i.progress = 'sending'
    returning i.letter_id
  )
  select array_agg(s.letter_id) into doubted from stale s;
  perform move_letters(doubted, array['in_replay'], 'in_doubt');
end $$;

-- Somebody says that these were sent: they wait for their outcome, if anybody still watches, and a step that was over waits
-- anew. Otherwise what became of them is unknown, until a report or a return says so after all.
create function treat_as_sent(which uuid, numbers integer[], called text) returns void language plpgsql
set search_path from current
as $$
begin
  perform note_sent(which, numbers, called);
  update replays r set settles_at = null where r.id = which and r.state in ('running', 'settling', 'paused', 'halted');
  if not found then
    perform from settle_items(which, numbers, 'unknown', called);
  end if;
end $$;

-- Somebody says that these are to be planned again: their letters are open. What is known of the sends stays, so that one that
-- did arrive and dies is still known as this letter.
create function plan_again(which uuid, numbers integer[]) returns void language plpgsql
set search_path from current
as $$
declare
  freed uuid[];
begin
  with changed as (
    update replay_items i set progress = 'released', settled_at = clock()
    where i.replay_id = which and i.n = any (numbers) and i.progress = 'in_doubt'
    returning i.letter_id
  )
  select array_agg(c.letter_id) into freed from changed c;
  perform move_letters(freed, array['in_doubt'], 'open');
end $$;

-- As before, and of what somebody decided to plan again: proof that it was sent after all comes before a second send of it,
-- unless another replay has the letter by now.
create or replace function note_sent(which uuid, numbers integer[], called text) returns integer language plpgsql
set search_path from current
as $$
declare
  moved uuid[];
  noted uuid[];
  freed uuid[];
begin
  with known as materialized (
    select i.n, i.letter_id, i.progress from replay_items i
    where i.replay_id = which and i.n = any (numbers)
      and (i.progress in ('sending', 'in_doubt') or (i.progress = 'released' and i.doubted_at is not null))
    order by i.n for no key update
  ), changed as (
    update replay_items i set progress = 'waiting', sent_at = clock() from known k where i.replay_id = which and i.n = k.n
  )
  select array_agg(k.letter_id) filter (where k.progress <> 'released'),
    array_agg(k.letter_id) filter (where k.progress = 'released')
  into noted, freed from known k;
  moved := move_letters(noted, array['in_replay', 'in_doubt'], 'sent') || move_letters(freed, array['open'], 'sent');
  update letters l set replays = l.replays + 1 where l.id = any (moved);
  perform add_attempts(moved, 'sent', called);
  return coalesce(cardinality(noted), 0) + coalesce(cardinality(freed), 0);
end $$;
