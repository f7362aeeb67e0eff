-- How far into the audit log each notifier of the configuration was told, and which process tells it just now.
create table notifier_turns (
  name text collate "C" primary key,
  n bigint not null,
  lease_until timestamptz not null default '-infinity'
);
