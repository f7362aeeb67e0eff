-- Letters that come back: a message a replay had sent dies again, and is the same letter with one more attempt.

-- When it failed last is part of how it stands, not of how it came: what it was on arrival is in its reading and in the
-- first classification, which stay as they are.
drop trigger keep_arrival on letters;
create trigger keep_arrival before update of id, source, broker, queue, drained_from, was, fingerprint, arrived_at
  on letters for each row execute function refuse_change();

-- Of a return: the message as it came, where that is not what was sent, and what was read from it.
alter table attempts
  add column error_code text collate "C",
  add column stack_id bytea,
  add column headers bytea,
  add column properties bytea,
  add column body bytea;

-- What may have been sent by a replay, but was not told apart from others that were.
alter table bodies add column maybe_return_of uuid;

-- Settles items whose messages came back. That is certain, whatever was known or guessed before; a message may even be
-- back before the broker's word that it has it. Gives those that nobody had counted as sent yet.
create function return_items(replays_of uuid[], numbers integer[]) returns table (replay_id uuid, n integer) language plpgsql
set search_path from current
as $$
#variable_conflict use_column
begin
  update sends s set returned_at = clock() from unnest(replays_of, numbers) as r (replay_id, n)
  where s.replay_id = r.replay_id and s.n = r.n and s.returned_at is null;
  return query
    with locked as materialized (
      select i.replay_id, i.n, i.progress
      from replay_items i join unnest(replays_of, numbers) as r (replay_id, n) on i.replay_id = r.replay_id and i.n = r.n
      where i.progress <> 'returned' order by i.replay_id, i.n for no key update of i
    ), settled as (
      update replay_items i set progress = 'returned', settled_at = clock(), sent_at = coalesce(i.sent_at, clock())
      from locked k where i.replay_id = k.replay_id and i.n = k.n
      returning i.replay_id, i.n, k.progress
    )
    select s.replay_id, s.n from settled s where s.progress in ('sending', 'in_doubt');
end $$;
