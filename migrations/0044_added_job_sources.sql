-- What a connected source needs beyond its address where its failed jobs are a framework's.

alter table added_sources
  -- What the framework's keys in Redis begin with; null: what they do by themselves.
  add column prefix text,
  -- Symfony Messenger: { "transport": "queue_name" }.
  add column transports jsonb;
