-- What a connected source says of the keys of its messages, as the configuration does of its own.

alter table added_sources
  -- Where consumers find the idempotency key: { "header": ... } or { "pointer": ... }; null: where senders usually put it.
  add column key jsonb,
  -- Where its ordered consumers keep their blocked keys: { "source": ... }, or { "shown": ..., "schema": ... } of the address beside it.
  add column keys jsonb,
  add column keys_url bytea,
  add constraint added_sources_keys check ((keys_url is not null) = coalesce(keys ? 'shown', false));
