-- Replayed, a letter is another message with the same number: what the first one came with is still known.
create trigger lane_places_other_copy after update of copy on lane_places for each row
when (old.copy is not null and new.copy is distinct from old.copy) execute function remember_lane_copy();
