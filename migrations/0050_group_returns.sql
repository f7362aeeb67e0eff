-- When a letter of a group came back last after a replay. Whether what somebody said of a group still holds depends on it, and every inbox
-- asks: its letters are too many to go through each time.
create table group_returns (
  group_id uuid primary key,
  last_at timestamptz not null
) with (fillfactor = 50);

insert into group_returns (group_id, last_at)
select l.group_id, max(a.at) from letters l join attempts a on a.letter_id = l.id
where l.replays > 0 and a.kind = 'returned' group by l.group_id;
