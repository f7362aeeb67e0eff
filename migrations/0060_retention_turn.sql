-- When retention ran last, what it did, and when it runs next. One process at a time has the turn.
create table retention_turn (
  is_only boolean primary key default true check (is_only),
  -- The turn is another's after that, unless whoever has it says so again.
  held_until timestamptz not null default '-infinity',
  next_at timestamptz not null default '-infinity',
  -- Of the last run that came to its end; null: none has.
  ended_at timestamptz,
  by text,
  expired integer not null default 0,
  weeks integer not null default 0,
  letters bigint not null default 0,
  -- Weeks that are past their time and stay, and why: JSON.
  kept text not null default '[]',
  -- Of all runs there ever were.
  expired_total bigint not null default 0,
  letters_total bigint not null default 0
);
insert into retention_turn default values;

-- As before, from behind a letter on: the ones before it are expired already and need not be looked at once more.
create function letters_past(cutoff timestamptz, at_most integer, behind uuid) returns setof uuid language sql stable
set search_path from current
as $$
  select l.id from letters l
  where l.id < first_id_at(cutoff) and l.id > behind and not is_terminal(l.state)
    and not exists (
      select from replay_items i join replays r on r.id = i.replay_id
      where i.letter_id = l.id and i.mark is null and is_unfinished(r)
    )
  order by l.id limit at_most
$$;
