-- Those that people made are few among millions, and asked for before each window that a replay sends.
create index classifications_by_people on classifications (letter_id, by) where by is not null;

-- As before, and whoever said what one of its letters is has a hand in it: that word may be all that lets it go. Not of those that do
-- not go, not of what was said after one had gone, and not of what a later failure has made void.
create or replace function is_involved(which uuid, who text) returns boolean language sql stable
set search_path from current
as $$
  select exists (select from replays r where r.id = which and r.requested_by = who)
    or exists (
      select from replay_items i where i.replay_id = which and i.acknowledged_at is not null and i.acknowledged_by = who
    )
    or exists (
      select from replay_items i join edits e on e.letter_id = i.letter_id and e.revision <= i.revision
      where i.replay_id = which and i.revision > 0 and e.by = who
    )
    or exists (
      select from replay_items i join classifications c on c.letter_id = i.letter_id and c.by = who
      where i.replay_id = which and i.decision <> 'skip' and (i.sent_at is null or c.at <= i.sent_at)
        and not exists (
          select from classifications e
          where e.letter_id = c.letter_id and e.n > c.n and e.by is null and (i.sent_at is null or e.at <= i.sent_at)
        )
    )
$$;
