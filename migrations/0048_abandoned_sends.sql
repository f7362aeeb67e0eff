-- What replays without a leader left behind is looked for each minute. Their items are not gone through for that: those in doubt have an
-- index of their own, over when they came into doubt, which no window of a replay changes; and whether a sender that is gone left any is
-- looked up once after it went.
update replay_items set doubted_at = clock() where progress = 'in_doubt' and doubted_at is null;
create index replay_items_doubted on replay_items (replay_id, n) where doubted_at is not null;

-- Nothing that was intended under this number or a lower one is still with a sender.
alter table replays add column landed_intents integer not null default 0;

-- As before, and goes through the items only where something was intended since it last did.
create or replace function doubt_abandoned(which uuid) returns void language plpgsql
set search_path from current
as $$
declare
  reached integer;
  doubted uuid[];
begin
  -- Whoever resumes it waits for the commit, so nothing is intended meanwhile.
  select r.intents into reached from replays r
  where r.id = which and r.landed_intents < r.intents
    and r.state not in ('running', 'settling') and (r.lease_until is null or r.lease_until <= clock())
  for no key update;
  if reached is null then
    return;
  end if;
  with stale as (
    update replay_items i set progress = 'in_doubt' where i.replay_id = which and i.progress = 'sending' returning i.letter_id
  )
  select array_agg(s.letter_id) into doubted from stale s;
  perform move_letters(doubted, array['in_replay'], 'in_doubt');
  update replays r set landed_intents = reached where r.id = which;
end $$;
