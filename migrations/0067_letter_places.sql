-- Where a letter's message was when it failed, and on which machine, as far as the letter says. Older letters say it in their reading
-- alone, where searches do not look.
alter table letters add column at_partition integer;
-- An offset, or a sequence.
alter table letters add column at_offset bigint;
alter table letters add column host text;
