-- Second copies of sends in doubt, where they can have no second effect.

-- As `intend_items`, of items in doubt.
create function intend_again(which uuid, as_epoch integer, numbers integer[]) returns table (n integer, intent integer)
language plpgsql
set search_path from current
as $$
#variable_conflict use_column
declare
  number integer;
  claimed uuid[];
begin
  update replays r set intents = r.intents + 1
  where r.id = which and r.epoch = as_epoch and r.state = 'running' and r.lease_until > clock()
  returning r.intents into number;
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
