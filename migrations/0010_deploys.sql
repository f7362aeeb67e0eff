-- What is deployed where: as people and their pipelines say it, and as consumers report of themselves.

create table deploys (
  id uuid primary key,
  service text collate "C" not null,
  version text collate "C" not null,
  -- The queues it consumes.
  queues text[] not null,
  -- JSON: [{"name", "versions"}]; empty where nobody said.
  schemas text not null,
  deployed_at timestamptz not null,
  recorded_by text not null,
  recorded_at timestamptz not null default clock()
);

create index deploys_by_queue on deploys using gin (queues);
create trigger keep_deploys before update or delete on deploys for each row execute function refuse_change();
create trigger keep_rows before truncate on deploys for each statement execute function refuse_change();

-- Versions that were seen at work on a queue, for as long as the ledger exists: since when is what gates compare with.
create table consumer_versions (
  source text collate "C" not null,
  queue text collate "C" not null,
  service text collate "C" not null,
  version text collate "C" not null,
  first_seen_at timestamptz not null,
  primary key (source, queue, service, version)
);

-- Processes at work, as their last heartbeat says. Those of which nothing is heard for long are forgotten.
create table consumers (
  source text collate "C" not null,
  queue text collate "C" not null,
  service text collate "C" not null,
  instance text collate "C" not null,
  version text collate "C" not null,
  schemas text not null,
  inbox_window_s double precision,
  retry_horizon_s double precision not null,
  probe boolean not null,
  last_seen_at timestamptz not null,
  primary key (source, queue, service, instance)
);

alter table fixes add column reason text, add column introduced_by text;
