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

-- The groups of the letters that a plan sends, as they were when it was frozen: what else comes into them while it runs is told apart
-- from what it sends, and a plan may have a hundred thousand letters to find them by.
create table replay_groups (
  replay_id uuid not null,
  group_id uuid not null,
  primary key (replay_id, group_id)
);

insert into replay_groups (replay_id, group_id)
select distinct i.replay_id, l.group_id from replay_items i join letters l on l.id = i.letter_id join replays r on r.id = i.replay_id
where i.decision <> 'skip' and r.state in ('planned', 'awaiting_approval', 'approved', 'running', 'paused', 'settling', 'halted');

-- How large the ledger was at the end of each of the last days, by table; weeks of one table together.
create table ledger_sizes (
  day date not null,
  relation text collate "C" not null,
  bytes bigint not null,
  primary key (day, relation)
);
