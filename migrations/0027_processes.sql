-- Processes of an office that live, by the database's clock. What the oldest of them knows of the tables decides whether
-- something may be taken away, and none may live while a ledger is restored.
create table processes (
  id uuid primary key,
  version text not null,
  -- The last migration it has.
  knows integer not null,
  -- What it does: http, intake, replay.
  duties text[] not null,
  started_at timestamptz not null default clock(),
  lives_until timestamptz not null
);
