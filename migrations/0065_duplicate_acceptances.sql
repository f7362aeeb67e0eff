-- Whose word it is that duplicates do no harm in a queue, or that its consumers handle them: once for the queue, until it is revoked.
create table duplicate_acceptances (
  id uuid primary key,
  source text collate "C" not null,
  queue text collate "C" not null,
  because text collate "C" not null check (because in ('handled', 'harmless')),
  reason text not null,
  accepted_by text not null,
  accepted_at timestamptz not null default clock(),
  revoked_by text,
  revoked_at timestamptz
);

create unique index one_acceptance on duplicate_acceptances (source, queue) where revoked_at is null;
create trigger keep_acceptances before update of id, source, queue, because, reason, accepted_by, accepted_at on duplicate_acceptances
  for each row execute function refuse_change();
create trigger keep_all_acceptances before delete on duplicate_acceptances for each row execute function refuse_change();
