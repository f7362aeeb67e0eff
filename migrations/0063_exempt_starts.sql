-- What each person started without an approval, since a plan was small enough to need none: by queue, so that ten plans of ten letters
-- are as many letters as one plan of a hundred.
create table exempt_starts (
  replay_id uuid not null references replays,
  source text collate "C" not null,
  queue text collate "C" not null,
  person text collate "C" not null,
  n integer not null,
  at timestamptz not null default clock(),
  primary key (replay_id, source, queue)
);

create index exempt_starts_by_person on exempt_starts (person, at);

alter table replays
  -- What a plan that needs no approval would need otherwise, and how many letters of each queue one person may start in a day: JSON.
  add column exemption text,
  -- Whoever asked for it had started too many that day: it needs its approvals after all.
  add column exemption_over boolean not null default false;

create trigger keep_exemption before update of exemption on replays for each row execute function refuse_change();
