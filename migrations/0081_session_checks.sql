-- A session whose provider gave a refresh token is checked there every few minutes.
alter table sessions
  -- Sealed with the server's key for this session alone; gone when the session ends.
  add column refresh_token bytea,
  add column check_at timestamptz;

create index sessions_to_check on sessions (check_at) where refresh_token is not null and ended_at is null;

create function forget_refresh_token() returns trigger language plpgsql as $$
begin
  new.refresh_token := null;
  return new;
end $$;

-- However a session ends, nobody needs to ask for it any more.
create trigger forget_refresh_token before update of ended_at on sessions for each row
  when (new.ended_at is not null) execute function forget_refresh_token();
