-- A terminal's session ends with the browser's session that let it in, however that one ends, and so does a code that was not traded yet.
alter table sessions add column parent bytea references sessions;

create index sessions_by_parent on sessions (parent) where parent is not null and ended_at is null;

-- Nobody can tell which browser let a terminal in before. Its session is shorter than a browser's: it ends, and the terminal signs in again.
update sessions set ended_at = clock() where ended_at is null and expires_at < made_at + interval '12 hours' - interval '1 second';

delete from terminal_codes;
alter table terminal_codes
  add column session bytea not null references sessions,
  -- They are the session's.
  drop column session_until,
  drop column issuer,
  drop column subject,
  drop column provider_session;

create index terminal_codes_by_session on terminal_codes (session);

create function end_terminals() returns trigger language plpgsql
set search_path from current
as $$
begin
  delete from terminal_codes where session = new.digest;
  update sessions set ended_at = new.ended_at where parent = new.digest and ended_at is null;
  return null;
end $$;

create trigger end_terminals after update of ended_at on sessions for each row
  when (old.ended_at is null and new.ended_at is not null) execute function end_terminals();
