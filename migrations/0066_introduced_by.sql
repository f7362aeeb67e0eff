-- What brought a group's bug in: a commit or a version, by a person's word. The last word holds; null takes it back.
alter table group_words drop constraint group_words_kind_check;
alter table group_words add constraint group_words_kind_check
  check (kind in ('acknowledged', 'snoozed', 'woken', 'assigned', 'noted', 'classified', 'tagged', 'untagged', 'introduced'));

create index group_words_introduced on group_words (at) where kind = 'introduced';

-- Fixes had it before, where nobody could see it.
insert into group_words (group_id, n, at, actor, kind, said)
select f.group_id, coalesce((select max(w.n) from group_words w where w.group_id = f.group_id), 0)
    + row_number() over (partition by f.group_id order by f.recorded_at, f.id),
  f.recorded_at, f.recorded_by, 'introduced', f.introduced_by
from fixes f where f.introduced_by is not null;
