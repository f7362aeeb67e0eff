-- Replays that nobody asked for: where a policy says so, transient letters go by themselves once there is evidence that their
-- cause is gone.

-- The queue they failed in, as `source/queue`; null for a replay that somebody planned. One at a time for each queue, whichever
-- process plans it, and none beside one that is halted or paused: that one waits for a person's word.
alter table replays add column auto_place text;

create unique index replays_auto on replays (auto_place)
  where auto_place is not null
    and state in ('planned', 'awaiting_approval', 'approved', 'running', 'paused', 'settling', 'halted');
create trigger keep_auto before update of auto_place on replays for each row execute function refuse_change();
