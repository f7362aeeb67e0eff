-- Places of dead letters in the sequences of their keys that are to be released, or were: the letter was dropped, compensated or
-- expired, or a person wants its key to go on. Noted in the transaction of the decision, carried out afterwards, once for each place.
create table key_releases (
  source text collate "C" not null,
  queue text collate "C" not null,
  -- SHA-256 of the key: keys may be longer than an index takes.
  lane bytea not null,
  number bigint not null,
  key bytea not null,
  -- Null where a person named the place, and no letter is known to have it.
  letter_id uuid,
  because text collate "C" not null check (because in ('dropped', 'compensated', 'expired', 'person')),
  -- "released": its store has let it go. "gone": its store had no such place any more, or never had. "sent": its consumer was sent a
  -- message that asks for it. "alive": the message is not dead, and leaves its place by itself. "elsewhere": a person released it in
  -- the consumer's own process.
  state text collate "C" not null default 'pending' check (state in ('pending', 'released', 'gone', 'sent', 'alive', 'elsewhere')),
  noted_at timestamptz not null default clock(),
  ended_at timestamptz,
  tries integer not null default 0,
  -- Not before; while a process carries it out, this is when its lease lapses.
  due_at timestamptz not null default clock(),
  -- Why the last try failed.
  trouble text,
  primary key (source, queue, lane, number)
);

create index key_releases_due on key_releases (source, due_at) where state = 'pending';
create index key_releases_of_letter on key_releases (letter_id) where letter_id is not null;
create index key_releases_ended on key_releases (ended_at) where ended_at is not null;
