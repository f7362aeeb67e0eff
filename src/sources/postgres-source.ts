import { openPg } from "../databases/open-pg.ts";
import type { Clock } from "../domain/clock.ts";
import { type Database, quoteName } from "../domain/database.ts";
import { releaseMessage } from "../domain/key-release.ts";
import { queueNames } from "../domain/wire.ts";
import { defaultSchema, prepareSchema } from "../schema/migrate.ts";
import type { BlockedKeysAdmin } from "../stores/blocked-keys.ts";
import { type BlockedKeysTables, foundBlockedKeys } from "../stores/postgres-blocked-keys-admin.ts";
import { foundSharedState } from "../stores/postgres-shared-state.ts";
import { markedSends } from "../transports/postgres/marked-sends.ts";
import { postgresTransport } from "../transports/postgres/transport.ts";
import type { Transport } from "../transports/transport.ts";
import type { OpenedSource, OpenParts } from "./opened-source.ts";
import { peekPostgres } from "./postgres-peek.ts";
import { markedLine } from "./send-line.ts";

const connections = 4;
const limitMs = 60_000;
const connectMs = 10_000;
/** Counting stops here: beyond it the number says no more, and a table of millions would take long. */
const mostCounted = 100_000;

export async function openPostgres({ url, source, clock }: OpenParts): Promise<OpenedSource> {
  const { database, close } = await openPg(url, { connections, limitMs, connectMs });
  const { schema = defaultSchema } = source;
  const opened = postgresSource(postgresTransport({ database, schema }), { database, schema, clock });
  return {
    ...opened,
    shared: foundSharedState({ database, schema }),
    blockedKeys: keysHereOrElsewhere({ database, schema }, opened.transport),
    async close() {
      await opened.close();
      await close();
    },
  };
}

/**
 * The blocked keys in the source's own database. Its consumers may keep theirs in another: for a place that is not here they are
 * asked by message too. Where the place is over, that message changes nothing.
 */
function keysHereOrElsewhere(tables: BlockedKeysTables, transport: Transport): BlockedKeysAdmin {
  const { database, schema } = tables;
  const found = foundBlockedKeys(tables);
  return {
    ...found,
    async release(places) {
      const answers = await found.release(places);
      const asked = `select to_regclass($1) is not null as "hasQueues"`;
      const hasQueues = async () =>
        (await database.query<{ hasQueues: boolean }>(asked, [`${quoteName(schema)}.messages`])).rows[0]?.hasQueues;
      const gone = places.filter((_, index) => answers[index] === "gone");
      if (gone.length > 0 && (await hasQueues()) === true)
        for (const { to, message } of gone.map(releaseMessage)) await transport.send(to, message, { onward: true });
      return answers;
    },
  };
}

/** Our own queues on PostgreSQL: a queue is there as soon as a message is, and what dies is moved in one statement. */
export function postgresSource(
  transport: Transport,
  { database, schema, clock }: { readonly database: Database; readonly schema: string; readonly clock: Clock },
): OpenedSource {
  const messages = `${quoteName(schema)}.messages`;
  const one = async <Row>(sql: string, parameters: readonly unknown[]): Promise<Row | undefined> => {
    await prepareSchema(database, schema);
    const { rows } = await database.query<Row & object>(sql, [...parameters]);
    return rows[0];
  };
  const countIn = async (queue: string) => {
    const counting = `select count(*)::integer as n from (select from ${messages} where queue = $1 limit $2) as counted`;
    return (await one<{ n: number }>(counting, [queue, mostCounted]))?.n ?? null;
  };
  return {
    transport,
    group: null,
    addressOf: async (queue) => ({ name: queue }),
    line: (replay) => markedLine(markedSends({ database, schema, clock, replay })),
    countBeside: (queue) => countIn(queueNames.parked(queue)),
    async look(queue) {
      return {
        ...{ address: { name: queue }, keepsNextDeath: true, keepsOrder: "by_key", otherGroups: [] },
        lag: await countIn(queue),
      };
    },
    async watch(queue) {
      const last = await one<{ id: string | null }>(`select max(id)::text as id from ${messages} where queue = $1`, [
        queue,
      ]);
      const wanted = `select exists (select from ${messages} where queue = $1 and id <= $2::bigint) as held`;
      return async () => last?.id == null || (await one<{ held: boolean }>(wanted, [queue, last.id]))?.held === false;
    },
    peek: (queue, limits) => peekPostgres({ database, schema }, queue, limits),
    close: () => transport.close(),
  };
}
