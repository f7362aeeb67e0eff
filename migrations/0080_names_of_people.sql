-- Whose a name is: an id of the configuration is one identity's, and an account is one identity's unless an admin joined another.

-- `people:` of the configuration as it was applied last, by whichever process.
create table configured_people (
  id text collate "C" primary key,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  roles text[] not null,
  unique (issuer, subject)
);

-- Its roles are those of the configuration, and go when it is no longer named there.
alter table identities add column configured boolean not null default false;
-- When its issuer last said who it is.
alter table identities add column seen_at timestamptz not null default clock();

-- A configured person used to be given the account of whoever had their name. Nobody can tell whose it is by now: it has no role and
-- no session, and stays with whoever was there first. The other signs in again, and is told which name to free.
create temporary table doubled on commit drop as
  select person from identities where gives_roles group by person having count(*) > 1;
update people set roles = '{}' where id in (select person from doubled);
update sessions set ended_at = clock() where ended_at is null and person in (select person from doubled);
update tokens set revoked_at = clock() where revoked_at is null and owner in (select person from doubled);
delete from identities i where gives_roles and person in (select person from doubled)
  and exists (
    select from identities e where e.gives_roles and e.person = i.person
      and (e.made_at, e.issuer, e.subject) < (i.made_at, i.issuer, i.subject)
  );

create unique index identities_that_give_roles on identities (person) where gives_roles;

-- Somebody can be called otherwise. The log goes on saying what they were called then, so it is kept who that was.
alter table invitations drop constraint invitations_person_fkey,
  add constraint invitations_person_fkey foreign key (person) references people on update cascade;
alter table sessions drop constraint sessions_person_fkey,
  add constraint sessions_person_fkey foreign key (person) references people on update cascade;
alter table tokens drop constraint tokens_owner_fkey,
  add constraint tokens_owner_fkey foreign key (owner) references people on update cascade;
alter table terminal_codes drop constraint terminal_codes_person_fkey,
  add constraint terminal_codes_person_fkey foreign key (person) references people on update cascade;
alter table identities drop constraint identities_person_fkey,
  add constraint identities_person_fkey foreign key (person) references people on update cascade;

create table former_names (
  name text collate "C" not null,
  until timestamptz not null,
  person text collate "C" not null references people on update cascade,
  primary key (name, until)
);

-- What somebody is called now who was called that at the time.
create function named_then(called text, at_the_time timestamptz) returns text language sql stable
set search_path from current
as $$
  select coalesce(
    (select f.person from former_names f where f.name = called and f.until >= at_the_time order by f.until limit 1), called
  )
$$;

-- As before, and by the names that people had then as well: nobody approves what they asked for under another name.
create or replace function is_involved(which uuid, who text) returns boolean language sql stable
set search_path from current
as $$
  select exists (
      select from replays r where r.id = which and who in (r.requested_by, named_then(r.requested_by, r.frozen_at))
    )
    or exists (
      select from replay_items i where i.replay_id = which and i.acknowledged_at is not null
        and who in (i.acknowledged_by, named_then(i.acknowledged_by, i.acknowledged_at))
    )
    or exists (
      select from replay_items i join edits e on e.letter_id = i.letter_id and e.revision <= i.revision
      where i.replay_id = which and i.revision > 0 and who in (e.by, named_then(e.by, e.at))
    )
    or exists (
      select from replay_items i join classifications c on c.letter_id = i.letter_id and c.by is not null
      where i.replay_id = which and who in (c.by, named_then(c.by, c.at))
        and i.decision <> 'skip' and (i.sent_at is null or c.at <= i.sent_at)
        and not exists (
          select from classifications e
          where e.letter_id = c.letter_id and e.n > c.n and e.by is null and (i.sent_at is null or e.at <= i.sent_at)
        )
    )
$$;
