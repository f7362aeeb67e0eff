-- What people said about groups: that they have seen one, that it may wait, who has it, what they know of it. Only added to: the
-- last word of its kind holds, and all of them are the group's history.
create table group_words (
  group_id uuid not null,
  -- Counting from 1.
  n integer not null,
  at timestamptz not null,
  actor text not null,
  kind text collate "C" not null check (kind in ('acknowledged', 'snoozed', 'woken', 'assigned', 'noted', 'classified')),
  -- A note's own text; otherwise why.
  text text,
  -- Of an assignment: who has it, null where nobody does any more. Of a classification: what it is called.
  said text,
  -- Of a snooze: until when, and whether until it gets worse, whichever comes first.
  until timestamptz,
  until_worse boolean not null default false,
  -- How the group stood when it was said, to tell whether it got worse since: JSON. Null of other words.
  stood text,
  primary key (group_id, n),
  check (kind <> 'snoozed' or until is not null or until_worse)
);

create index group_words_by_assignee on group_words (said) where kind = 'assigned';
create trigger keep_group_words before update or delete on group_words for each row execute function refuse_change();
create trigger keep_all_group_words before truncate on group_words for each statement execute function refuse_change();
