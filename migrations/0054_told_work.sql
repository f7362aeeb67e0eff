-- What a process of an office tells with its heartbeat, so that any other can be asked how all of them are.
alter table processes add column host text not null default '';
-- When it did so last. Null for an older version, which tells nothing.
alter table processes add column told_at timestamptz;
-- What it does by itself, and what troubles that: JSON, at most some hundred entries.
alter table processes add column work text not null default '{}';
-- How far its clock is ahead of the database's; null while that is not known.
alter table processes add column clock_ahead_ms double precision;
-- How many follow its live stream.
alter table processes add column followers integer not null default 0;
