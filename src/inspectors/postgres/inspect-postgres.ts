import { openPg } from "../../databases/open-pg.ts";
import { type Database, type Queries, quoteName } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { queueNames } from "../../domain/wire.ts";
import { defaultSchema } from "../../schema/migrate.ts";
import { soundsDead } from "../../wiring/names.ts";
import { type DeadLettering, type Gap, keepsAll, type WiredQueue } from "../../wiring/wiring.ts";
import type { Inspect } from "../inspector.ts";
import { parseAddress, refusedByPostgres } from "../refusals.ts";

/** Our own queues on PostgreSQL. They are rows of one table, so a queue is there as long as a message is in it. */
export const inspectPostgres: Inspect = async ({ url, schema = defaultSchema }, { limitMs }) => {
  const { host } = parseAddress("url", url, ["postgres", "postgresql"]);
  const { database, close } = await openPg(url, { limitMs, readOnly: true });
  try {
    return { wiring: await look(database, schema), remedies: {} };
  } catch (error) {
    throw refusedByPostgres(error, host);
  } finally {
    await close();
  }
};

async function look(database: Database, schema: string) {
  return database.transaction(async (queries) => {
    const rights = await rightsOn(queries, schema);
    if (!rights.found) throw noTables(schema);
    const queues = rights.select ? await readQueues(queries, schema) : [];
    return {
      product: `PostgreSQL ${rights.version}`,
      queues,
      sees: ["how many messages are in each, and for how long"],
      blindTo: ["queues that are empty: a queue is there as long as a message is in it"],
      gaps: gapsOf(rights, schema),
    };
  });
}

interface Rights {
  readonly version: string;
  readonly found: boolean;
  readonly user: string;
  readonly superuser: boolean;
  readonly select: boolean;
}

/** A schema without the right to use it looks like one that is not there, unless the catalogue is asked. */
async function rightsOn(queries: Queries, schema: string): Promise<Rights> {
  const { rows } = await queries.query<Rights>(
    `select current_setting('server_version') as version, current_user as user, r.rolsuper as superuser,
       c.oid is not null as found,
       coalesce(has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select'), false) as select
     from pg_roles r
     left join pg_namespace n on n.nspname = $1
     left join pg_class c on c.relnamespace = n.oid and c.relname = 'messages'
     where r.rolname = current_user`,
    [schema],
  );
  const [rights] = rows;
  if (rights === undefined) throw noTables(schema);
  return rights;
}

/** Counting stops here: beyond it the number says no more, and a table of millions would take long. */
const mostCounted = 100_000;

interface QueueRow {
  readonly queue: string;
  readonly depth: number;
  readonly oldest_ms: number | null;
}

/** Hops through the index from name to name: the table may hold millions of messages in a handful of queues. */
async function readQueues(queries: Queries, schema: string): Promise<WiredQueue[]> {
  const messages = `${quoteName(schema)}.messages`;
  const { rows } = await queries.query<QueueRow>(
    `with recursive names (queue) as (
       (select queue from ${messages} order by queue limit 1)
       union all
       select (select m.queue from ${messages} m where m.queue > names.queue order by m.queue limit 1)
       from names where names.queue is not null
     )
     select queue,
       (select count(*)::integer from (select from ${messages} m where m.queue = names.queue limit $1) as counted) as depth,
       (select extract(epoch from ${quoteName(schema)}.clock() - min(m.due_at))::float8 * 1000
        from ${messages} m where m.queue = names.queue) as oldest_ms
     from names where queue is not null`,
    [mostCounted],
  );
  return rows.map(wiredQueue);
}

function wiredQueue({ queue, depth, oldest_ms: oldestMs }: QueueRow): WiredQueue {
  return {
    name: queue,
    depth,
    oldestAgeMs: oldestMs === null ? null : Math.max(0, Math.round(oldestMs)),
    isTemporary: false,
    deadLettering: soundsDead(queue) ? null : byName(queue),
    keeping: keepsAll,
    deliveryLimit: null,
  };
}

/** A message is moved in one statement, and the queue it goes to is there as soon as it is. */
function byName(queue: string): DeadLettering {
  const target = queueNames.deadLetters(queue);
  return {
    via: "the runtime",
    targets: [target],
    leaks: [],
    targetsAfterReplay: [target],
    unsure: null,
    afterMs: null,
    byBroker: false,
  };
}

function gapsOf({ select, superuser, user }: Rights, schema: string): Gap[] {
  const at = quoteName(schema);
  const grants = `grant usage on schema ${at} to ${quoteName(user)}; grant select on ${at}.messages to ${quoteName(user)};`;
  const blind: Gap = { kind: "missing", sentence: "The queues cannot be read.", remedy: grants };
  const mighty: Gap = {
    kind: "needless",
    sentence: `\`${user}\` is a superuser; to look, usage of the schema and select on its messages are enough.`,
    remedy: `create role dlo login; grant usage on schema ${at} to dlo; grant select on ${at}.messages to dlo;`,
  };
  return [...(select ? [] : [blind]), ...(superuser ? [mighty] : [])];
}

function noTables(schema: string): OfficeError {
  return new OfficeError(
    "STORE_UNAVAILABLE",
    `There are no queues of ours in the schema "${schema}". Name the right one as \`schema\`, or make them: migrate({ database, schema }).`,
    { details: { schema } },
  );
}
