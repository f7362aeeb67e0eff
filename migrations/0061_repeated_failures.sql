-- One failure may leave two dead letters: where a connection is cut between a dead letter's confirm and the acknowledgement of its message,
-- the message is handled, and fails, once more.

-- What tells failures apart, of letters that a drain brought. Never emptied, as the keys of letters are not.
create table failure_keys (
  key bytea not null,
  letter_id uuid not null,
  failed_at timestamptz not null,
  -- Its consumer named the failure: whoever has the same key is the same. Otherwise letters of one key are alike, and no more than that.
  is_named boolean not null
);

create unique index failure_keys_named on failure_keys (key) where is_named;
create index failure_keys_alike on failure_keys (key, failed_at) where not is_named;
create index failure_keys_by_letter on failure_keys (letter_id);

-- Dead letters that are no letters of their own: the letter that each was kept as, and where it was.
create table repeated_failures (
  letter_id uuid not null,
  at timestamptz not null,
  failed_at timestamptz not null,
  drained_from text collate "C" not null,
  position text collate "C"
);

create index repeated_failures_by_letter on repeated_failures (letter_id, at);

-- Letters that are probably the same failure as another one: only a person can say so.
create table probable_repeats (
  letter_id uuid primary key,
  of_letter uuid not null
);
