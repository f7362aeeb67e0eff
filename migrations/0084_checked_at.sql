-- When the provider last said that a session goes on: one that could not be checked for too long ends.
alter table sessions add column checked_at timestamptz;
