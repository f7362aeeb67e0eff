-- A ledger of a demonstration is marked for good: nothing real may ever be drained into it or sent from it.

create table demo_ledger (
  one boolean primary key default true check (one),
  marked_at timestamptz not null default clock()
);

create trigger keep_demo before update or delete on demo_ledger for each row execute function refuse_change();
create trigger keep_all before truncate on demo_ledger for each statement execute function refuse_change();

-- People who are made up, and of whom nobody must think that they agreed to anything.
alter table people drop constraint people_kind_check;
alter table people add constraint people_kind_check check (kind in ('human', 'agent', 'demo'));
