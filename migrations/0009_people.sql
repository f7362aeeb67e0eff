-- Who may ask what of the office, and how it knows who asks. Nothing here can be used by who reads it: codes, sessions and
-- tokens are kept as hashes, passwords as scrypt's.

create table people (
  id text collate "C" primary key check (id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
  kind text collate "C" not null default 'human' check (kind in ('human', 'agent')),
  roles text[] not null check (roles <@ array['viewer', 'operator', 'approver', 'admin']),
  -- scrypt:N:r:p:salt:hash; null until the invitation was used.
  password text,
  made_at timestamptz not null default clock(),
  -- Nobody is deleted: the audit log goes on naming them.
  disabled_at timestamptz
);

-- A code that lets somebody choose a password, once.
create table invitations (
  digest bytea primary key,
  -- Null for the first admin, who has no name yet.
  person text collate "C" references people,
  expires_at timestamptz not null,
  used_at timestamptz
);

-- However many processes start at once, one of them makes the code of the first run.
create unique index one_first_run on invitations ((person is null)) where person is null and used_at is null;

create table sessions (
  digest bytea primary key,
  person text collate "C" not null references people,
  made_at timestamptz not null default clock(),
  seen_at timestamptz not null default clock(),
  expires_at timestamptz not null,
  ended_at timestamptz
);

create index sessions_by_person on sessions (person);

create table tokens (
  id text collate "C" primary key,
  digest bytea not null,
  owner text collate "C" not null references people,
  -- What it is for, in its owner's words.
  name text not null,
  -- Null: whatever its owner may.
  operations text[],
  made_at timestamptz not null default clock(),
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz
);

create index tokens_by_owner on tokens (owner);

-- Sign-ins that did not succeed, and those under way.
create table sign_in_tries (
  id bigint generated always as identity primary key,
  account text not null,
  address text not null,
  at timestamptz not null default clock()
);

create index sign_in_tries_by_account on sign_in_tries (account, at);
create index sign_in_tries_by_address on sign_in_tries (address, at);

-- What was answered to a request with an Idempotency-Key, so that asking again does nothing twice.
create table answered_requests (
  actor text collate "C" not null,
  operation text collate "C" not null,
  key text collate "C" not null,
  -- Of what was asked.
  digest bytea not null,
  begun_at timestamptz not null default clock(),
  -- JSON in UTF-8; null while it is under way, and for good if its process died meanwhile.
  answer bytea,
  primary key (actor, operation, key)
);

create index answered_requests_by_age on answered_requests (begun_at);
