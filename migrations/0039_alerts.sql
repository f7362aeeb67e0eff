-- Rules by which somebody is told, and what they found: one open alert for each rule and thing, from when its condition first
-- held until it holds no longer.
create table alert_rules (
  name text collate "C" primary key check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
  kind text collate "C" not null,
  -- source/queue; * stands for any characters. None: everywhere.
  queues text[] not null,
  categories text[] not null,
  -- Letters or seconds, as its kind has it.
  over bigint not null check (over >= 0),
  -- How long its condition must hold before it is said, and be over before that is said.
  hold_s integer not null check (hold_s >= 0),
  -- None: all who take alerts.
  notifiers text[] not null,
  muted_until timestamptz,
  set_by text not null,
  made_at timestamptz not null
);

create table alerts (
  id uuid primary key,
  rule text collate "C" not null,
  about text collate "C" not null,
  source text collate "C" not null,
  queue text collate "C" not null,
  path text not null,
  sentence text not null,
  -- As its rule has them; none: all who take alerts.
  notifiers text[] not null,
  begun_at timestamptz not null,
  seen_at timestamptz not null,
  fired_at timestamptz,
  acknowledged_by text,
  cleared_at timestamptz
);
create unique index alerts_open on alerts (rule, about) where cleared_at is null;
create index alerts_fired on alerts (fired_at) where fired_at is not null;

-- When some process last looked.
create table alert_look (
  is_only boolean primary key default true check (is_only),
  looked_at timestamptz not null default '-infinity'
);
insert into alert_look default values;
