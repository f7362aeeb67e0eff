import { quoteName } from "../../domain/database.ts";
import { blockArrays, blockColumns, blockNames } from "./message-block.ts";

/** Everything the transport ever says to the database, for one schema. */
export type Statements = ReturnType<typeof statements>;

export function statements(schema: string) {
  const at = quoteName(schema);
  return {
    isolation: "select current_setting('transaction_isolation') as isolation",
    notify: "select pg_notify(channel, '') from unnest($1::text[]) as channel",
    /** Queue. */
    depth: `select count(*) as n from ${at}.messages where queue = $1`,
    /** Queue. */
    nextDue: `select ${at}.next_due_in_ms($1) as ms`,
    /** Queue, how many, how many bytes, lease, whether in order. */
    take: `select * from ${at}.take_messages($1, $2::integer, $3::bigint, $4::float8, $5::boolean)`,
    ...settling(at),
    ...sending(at),
  };
}

/** Rows that are still out on the hand-over a receipt stands for. The list of ids is what finds them in the index. */
function held(ids: string, fences: string): string {
  return `id = any (${ids}::bigint[]) and (id, fence) in (select * from unnest(${ids}::bigint[], ${fences}::bigint[]))`;
}

/** One moment for a whole statement; asked for row by row it would be another for each. */
function moment(at: string): string {
  return `(select ${at}.clock())`;
}

/** What is said about messages that are out. Each answers with the hand-overs that were still good. */
function settling(at: string) {
  const update = `update ${at}.messages m set`;
  const now = moment(at);
  const [, headers, properties, body] = blockColumns(1, "given");
  const ofBlock =
    "m.id = any ($8::bigint[]) and m.id = given.id and m.fence = given.fence returning given.id, given.fence";
  return {
    /** Ids, fences, lanes. */
    acknowledge: `select ${at}.acknowledge_messages($1::bigint[], $2::bigint[], $3::bigint[])`,

    /** Ids, fences. Back to the front, where they came from. */
    giveBack: `update ${at}.messages set fence = null, due_at = sent_at, deliveries = deliveries - 1
      where ${held("$1", "$2")}`,

    /** Ids, fences, milliseconds. */
    extend: `${update} due_at = ${now} + given.ms * interval '1 ms', leased_until = null
      from unnest($1::bigint[], $2::bigint[], $3::float8[]) as given (id, fence, ms)
      where m.id = any ($1::bigint[]) and m.id = given.id and m.fence = given.fence returning given.id, given.fence`,

    /** Block, ids, fences. */
    charge: `${update} headers = ${headers}
      from unnest($8::bigint[], $9::bigint[], ${blockArrays(1)}) as given (id, fence, ${blockNames})
      where ${ofBlock}`,

    /** Block, ids, fences, delays. What stays is the place in the lane and the count of deliveries. */
    replace: `${update} fence = null, redelivered = false, due_at = ${now} + given.delay_ms * interval '1 ms',
        headers = ${headers}, properties = ${properties}, body = ${body}, is_text = given.is_text
      from unnest($8::bigint[], $9::bigint[], $10::float8[], ${blockArrays(1)})
        as given (id, fence, delay_ms, ${blockNames})
      where ${ofBlock}`,
  };
}

function inserting(at: string): string {
  const now = moment(at);
  const columns = blockColumns(1, "given").join(", ");
  return `insert into ${at}.messages (queue, lane, sent_at, due_at, is_text, key, headers, properties, body)
    select given.queue, given.lane, ${now}, ${now} + given.delay_ms * interval '1 ms', given.is_text, ${columns}`;
}

/** What puts messages into queues. */
function sending(at: string) {
  const insert = inserting(at);
  return {
    /** Block, queues, lanes, delays. */
    send: `${insert} from unnest($8::text[], $9::bigint[], $10::float8[], ${blockArrays(1)})
      as given (queue, lane, delay_ms, ${blockNames})`,

    /** Block, ids, fences, queues, lanes, delays, lanes to lock: all of them before a row is touched. */
    move: `with locked as materialized (
        select count(${at}.lock_lane(lane)) as lanes from unnest($13::bigint[]) as lane
      ), gone as (
        delete from ${at}.messages where (select lanes from locked) is not null and ${held("$8", "$9")}
        returning id, fence
      ), sent as (
        ${insert} from (
          select distinct on (id) * from unnest(
            $8::bigint[], $10::text[], $11::bigint[], $12::float8[], ${blockArrays(1)}
          ) as listed (id, queue, lane, delay_ms, ${blockNames})
        ) as given join gone using (id) order by given.lane, given.id
      )
      select id, fence from gone`,
  };
}

/** Sends that leave a mark; the marks of replays long over are forgotten along the way. */
export function markedStatements(at: string, keptDays: number) {
  return {
    /**
     * Block, queues, lanes, delays, numbers, intents, replay. Gives the numbers of those that are there by now. Whoever is second
     * to mark one waits for the first to commit.
     */
    send: `with marked as (
        insert into ${at}.marked_sends as m (replay_id, n, intent, was_sent)
        select $13::uuid, g.n, g.intent, true from unnest($11::integer[], $12::integer[]) as g (n, intent) order by g.n
        on conflict (replay_id, n) do update set intent = excluded.intent, was_sent = true, at = excluded.at
          where not m.was_sent and m.intent < excluded.intent
        returning n
      ), sent as (
        ${inserting(at)} from unnest($8::text[], $9::bigint[], $10::float8[], $11::integer[], ${blockArrays(1)})
          with ordinality as given (queue, lane, delay_ms, n, ${blockNames}, place)
          join marked using (n) order by given.place
      )
      select n from marked
      union select m.n from ${at}.marked_sends m
        where m.replay_id = $13::uuid and m.n = any ($11::integer[]) and m.was_sent`,

    /** Replay, numbers, intents. Gives the numbers of those that were sent. */
    findOrBar: `with forgotten as (
        delete from ${at}.marked_sends where at < ${moment(at)} - interval '${keptDays} days' and replay_id <> $1::uuid
      ), looked as (
        insert into ${at}.marked_sends as m (replay_id, n, intent, was_sent)
        select $1::uuid, g.n, g.intent, false from unnest($2::integer[], $3::integer[]) as g (n, intent) order by g.n
        on conflict (replay_id, n) do update set intent = greatest(m.intent, excluded.intent)
        returning n, was_sent
      )
      select n from looked where was_sent`,
  };
}
