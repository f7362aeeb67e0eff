-- How somebody who is signed in at a browser signs in at a terminal: the browser brings the terminal a code, which is worth
-- nothing without what the terminal alone has, and nothing a minute later.

create table terminal_codes (
  digest bytea primary key,
  person text collate "C" not null references people,
  -- Base64 of the SHA-256 of what the terminal keeps for itself.
  challenge text collate "C" not null,
  expires_at timestamptz not null
);
