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
