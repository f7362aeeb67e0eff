-- Whether what a handler writes is committed with its inbox's memory of it, as its consumer reports: then a duplicate of what took
-- effect is found out, and an attempt that failed left nothing.
alter table consumers add column inbox_transactional boolean not null default false;
