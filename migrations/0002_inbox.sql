-- What was processed, so that a duplicate has no second effect. Only success is written here.

create table inbox (
  -- SHA-256 of scope and key: keys may be longer than an index takes, and hold what text cannot.
  digest bytea primary key,
  -- For people; cut, and without what text cannot hold.
  scope text not null,
  key text not null,
  succeeded_at timestamptz not null default clock(),
  expires_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.05);

create index inbox_expiry on inbox (expires_at);

-- Asks for a turn: 'yours' until the transaction ends, 'busy' while another has it, 'duplicate' if it succeeded before.
--
-- The look comes in a statement of its own after the lock: in one with it, it would see the world as it was before the
-- one who had the lock committed.
--
-- Who stands still inside the transaction for `lease_ms` loses it, by the server's own clock: its connection is ended,
-- and with it the lock and everything it wrote.
create function begin_inbox_turn(wanted bytea, lock_key bigint, lease_ms double precision) returns text
language plpgsql set search_path from current
as $$
begin
  if not pg_try_advisory_xact_lock(lock_key) then
    return 'busy';
  end if;
  if exists (select from inbox i where i.digest = wanted and i.expires_at > clock()) then
    return 'duplicate';
  end if;
  if lease_ms is not null then
    perform set_config('idle_in_transaction_session_timeout', ceil(lease_ms)::text, true);
  end if;
  return 'yours';
end $$;
