-- Small documents that several processes read and change: the state of breakers, mostly.

create table shared_documents (
  name text collate "C" primary key,
  version bigint not null,
  -- JSON as text: jsonb refuses some of what JSON allows.
  value text not null,
  changed_at timestamptz not null default clock()
) with (fillfactor = 50);
