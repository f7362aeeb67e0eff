-- Roles that hold in some queues only. People name them as they name the four that hold everywhere.

create table roles (
  name text collate "C" primary key
    check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' and name not in ('viewer', 'operator', 'approver', 'admin')),
  "is" text collate "C" not null check ("is" in ('viewer', 'operator', 'approver', 'admin', 'agent')),
  -- source/queue; * stands for any characters.
  queues text[] not null,
  -- May see what is masked there.
  reveals boolean not null default false
);

-- Names of roles now, of this table and of the configuration: one that nobody knows any more gives nothing.
alter table people drop constraint people_roles_check;

-- Where a token may be used; null: wherever its owner may.
alter table tokens add column queues text[];
