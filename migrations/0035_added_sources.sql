-- Brokers that somebody connected while the office ran, beside those of the configuration.

create table added_sources (
  name text collate "C" primary key check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
  broker text collate "C" not null,
  -- Addresses hold passwords: sealed with a key that is not in the database, nor in a backup.
  url bytea not null,
  management bytea,
  -- The address without what lets somebody in.
  shown text not null,
  schema text,
  owner text,
  -- [{ "match": "*.dlq", "mode": "observe" | "drain" }]; the first match holds.
  queues jsonb not null,
  added_by text collate "C" not null,
  changed_at timestamptz not null default clock()
);
