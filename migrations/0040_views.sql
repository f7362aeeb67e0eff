-- Searches that somebody comes back to: of one person, or, without one, of everybody.
create table views (
  -- Empty: everybody's.
  owner text collate "C" not null,
  name text collate "C" not null check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
  query text not null,
  set_by text not null,
  primary key (owner, name)
);
