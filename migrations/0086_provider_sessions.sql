-- By which a session here and the one at the identity provider know each other, so that one ends with the other.
alter table sessions
  add column issuer text collate "C",
  add column subject text collate "C",
  add column provider_session text collate "C",
  -- Only sent back to its provider at sign-out; gone when the session ends.
  add column id_token text;

create index sessions_by_subject on sessions (issuer, subject) where issuer is not null and ended_at is null;
create index sessions_by_provider_session on sessions (issuer, provider_session) where issuer is not null and ended_at is null;

-- A terminal's session ends with the browser's that let it in.
alter table terminal_codes
  add column issuer text collate "C",
  add column subject text collate "C",
  add column provider_session text collate "C";

-- Messages of back-channel logout that were carried out, until they could not be sent again.
create table logout_messages (
  digest bytea primary key,
  valid_until timestamptz not null
);

create index logout_messages_by_validity on logout_messages (valid_until);
