-- Whether all sending is stopped: one row. Whoever lets a replay run holds it meanwhile, so that none slips past a stop.
create table sending (
  is_only boolean primary key default true check (is_only),
  stopped_by text,
  stopped_at timestamptz,
  reason text,
  check ((stopped_by is null) = (stopped_at is null))
);

insert into sending default values;
