-- Who has a letter, a group or a replay open right now, for others who have. Each page says so again while it is seen; what is not said
-- again lapses by the database's clock, whichever process was told.
create table onlookers (
  -- As people write its id: ltr_, grp_ or rpl_ and so on.
  thing text collate "C" not null,
  person text collate "C" not null,
  since timestamptz not null,
  lapses_at timestamptz not null,
  primary key (thing, person)
);
