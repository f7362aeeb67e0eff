-- Tags put on a letter and taken off it, for its history. What its group has is in group_words.
create table tag_changes (
  letter_id uuid not null,
  at timestamptz not null default clock(),
  -- A person, or `rule/<id>` of the policy.
  by text not null,
  kind text collate "C" not null check (kind in ('tagged', 'untagged')),
  tags text[] not null,
  reason text
);
create index tag_changes_of_letter on tag_changes (letter_id, at);

-- Of tags from before there was this history, only those that are still there are known, and why they were put on is in the audit log.
insert into tag_changes (letter_id, at, by, kind, tags)
select t.letter_id, t.at, t.by, 'tagged', array_agg(t.tag order by t.tag) from letter_tags t group by 1, 2, 3;
