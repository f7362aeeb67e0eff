-- When a message was first sent, as its sender or its broker says; null where nobody does, and for letters that came before.
alter table letters add column enqueued_at timestamptz;
create trigger keep_enqueued before update of enqueued_at on letters for each row execute function refuse_change();
