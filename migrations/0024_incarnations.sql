-- Times that the ledger was restored from a backup. What was open then may have been sent back after the backup was made,
-- and nothing here knows of it.

create table incarnations (
  n integer generated always as identity primary key,
  restored_at timestamptz not null default clock(),
  -- When the backup was made.
  backup_at timestamptz not null
);

create trigger keep_incarnations before update or delete on incarnations for each row execute function refuse_change();
create trigger keep_all before truncate on incarnations for each statement execute function refuse_change();
