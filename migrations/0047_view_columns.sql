-- What a view shows of its letters, and in which order; empty: as lists do.
alter table views add column sort text collate "C" not null default '';
alter table views add column cols text[] not null default '{}';
