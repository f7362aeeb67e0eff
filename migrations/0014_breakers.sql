-- Breakers of consumers, as each process last said. What it says counts only as long as heartbeats of its queue come along.
create table breakers (
  source text collate "C" not null,
  queue text collate "C" not null,
  name text collate "C" not null,
  service text collate "C" not null,
  instance text collate "C" not null,
  state text not null check (state in ('closed', 'open', 'half-open')),
  since timestamptz not null,
  -- By the consumer's clock, and never ahead of the ledger's: reports are read many at once and overtake each other.
  said_at timestamptz not null,
  heard_at timestamptz not null,
  primary key (source, queue, name, service, instance)
);
