-- Questions to consumers, whether a message that failed took effect all the same. Whichever process reads the answer notes it for
-- the one that asked. A question is a secret between the office and whoever reads the queue it is put to.
create table probes (
  question text collate "C" primary key,
  source text collate "C" not null,
  queue text collate "C" not null,
  asked_at timestamptz not null,
  effect text check (effect in ('done', 'none', 'unknown'))
);

create index probes_asked on probes (asked_at);
