-- When a message's own time to live is over, as its sender says; null where it says nothing. The letter stays until retention takes it.
alter table letters add column expires_at timestamptz;

-- Of letters that are here. What was read of RabbitMQ's letters was how long a queue kept them, mostly.
update letters l set expires_at = to_timestamp((convert_from(b.reading, 'UTF8')::json ->> 'expiresAt')::float8 / 1000)
from bodies b
where b.letter_id = l.id and l.broker not in ('amqp-0-9-1', 'amqp-1-0')
  and position('"expiresAt":1' in convert_from(b.reading, 'UTF8')) > 0;

create trigger keep_expiry before update of expires_at on letters for each row execute function refuse_change();
create index letters_past_ttl on letters (expires_at) where expires_at is not null;
