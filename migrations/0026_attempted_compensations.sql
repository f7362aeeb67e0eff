-- When the message of a compensation was about to be sent; null: nobody has begun to, and it can be taken back at once. Versions
-- that do not know of it send without saying so, and so does what they left: all of that counts as attempted.
alter table compensations add column attempted_at timestamptz default clock();

-- What became of one: the broker has the message and the letter is compensated, or it has not and the letter is as it was. By its
-- own id: the letter may have another by now, of somebody else. Gives whether that was news.
create function end_compensation(which uuid, outcome text) returns boolean language plpgsql
set search_path from current
as $$
declare
  ended record;
begin
  update compensations c set state = outcome, ended_at = clock() where c.id = which and c.state = 'sending'
  returning c.letter_id, c.from_state into ended;
  if not found then return false; end if;
  perform move_letters(
    array[ended.letter_id], array['in_replay'], case outcome when 'sent' then 'compensated' else ended.from_state end
  );
  return true;
end $$;
