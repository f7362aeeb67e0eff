-- Many that begin at once are told of together: of those, nobody is told one by one that they are over.
alter table alerts add column is_told boolean not null default true;
