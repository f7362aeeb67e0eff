-- Letters that are given back: sent as they came to the queue they were drained from. Each is such a send as a compensation is:
-- written down first, made once at most, and its letter taken meanwhile. Its body is the letter's own and is not kept twice.
alter table compensations add column kind text collate "C" not null default 'corrective' check (kind in ('corrective', 'give_back'));

-- For looks at whether a letter was given back.
create index given_back on compensations (letter_id) where kind = 'give_back' and state = 'sent';

-- Says that its turn has come. False where it must not be sent any more: somebody took it back, or stopped all sending; a stop
-- that is just being made is waited for. A letter that is given back is in doubt from here until its broker has answered: should
-- whoever sends it die, that is how it stands.
create function attempt_compensation(which uuid) returns boolean language plpgsql
set search_path from current
as $$
declare
  begun record;
begin
  perform 1 from sending where stopped_by is null for share;
  if not found then return false; end if;
  update compensations c set attempted_at = clock()
  where c.id = which and c.state = 'sending' and c.attempted_at is null
  returning c.letter_id, c.kind into begun;
  if not found then return false; end if;
  if begun.kind = 'give_back' then
    perform move_letters(array[begun.letter_id], array['in_replay'], 'in_doubt');
  end if;
  return true;
end $$;

-- As before; a letter that was given back is dropped: it is its queue's again.
create or replace function end_compensation(which uuid, outcome text) returns boolean language plpgsql
set search_path from current
as $$
declare
  ended record;
begin
  update compensations c set state = outcome, ended_at = clock() where c.id = which and c.state = 'sending'
  returning c.letter_id, c.from_state, c.kind into ended;
  if not found then return false; end if;
  perform move_letters(
    array[ended.letter_id], array['in_replay', 'in_doubt'],
    case when outcome <> 'sent' then ended.from_state when ended.kind = 'give_back' then 'dropped' else 'compensated' end
  );
  return true;
end $$;
