-- Words that people and rules put on letters and groups, to find them by and to keep them out of what a search selects. Always in small
-- letters: how a tag is written does not tell two of them apart.
create table letter_tags (
  letter_id uuid not null,
  tag text collate "C" not null,
  -- A person, or `rule/<id>` of the policy.
  by text not null,
  at timestamptz not null default clock(),
  primary key (letter_id, tag)
);
create index letter_tags_by_tag on letter_tags (tag, letter_id);

-- Letters have the tags of their group too, those that come later as well.
create table group_tags (
  group_id uuid not null,
  tag text collate "C" not null,
  by text not null,
  at timestamptz not null default clock(),
  primary key (group_id, tag)
);

-- Said in the history of the group, too.
alter table group_words drop constraint group_words_kind_check;
alter table group_words add constraint group_words_kind_check
  check (kind in ('acknowledged', 'snoozed', 'woken', 'assigned', 'noted', 'classified', 'tagged', 'untagged'));
