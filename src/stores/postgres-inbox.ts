import { createHash } from "node:crypto";
import { type Database, type Queries, quoteName, type Transaction } from "../domain/database.ts";
import { OfficeError } from "../domain/errors.ts";
import { hasCode } from "../domain/has-code.ts";
import { refuseUnknownNames } from "../domain/options.ts";
import { defaultSchema, prepareSchema, requireSchemaName } from "../schema/migrate.ts";
import type { Inbox, InboxEntry, InboxOutcome, Turn } from "./inbox.ts";

export interface PostgresInboxOptions<Client> {
  /**
   * Made by `pgDatabase` or `pgliteDatabase`; the one that handlers write to, so that both stand or fall together. Each
   * handler holds a connection of it while it runs: with a pool of fewer than `concurrency` handlers wait for each other,
   * and a transport on the same pool waits with them, so give the transport one of its own.
   */
  readonly database: Database<Client>;
  /** Where the tables are; they are made on first use, or by `migrate`. @default "dlo" */
  readonly schema?: string;
}

/** Longer names are cut for the columns that people read; what counts is the digest. */
const maxReadable = 512;
/** Each success forgets up to so many that are past, so that the table shrinks as fast as it could have grown. */
const forgottenAtOnce = 2;

/**
 * Remembers successes in the transaction in which the handler writes: its writes and the memory of them are committed
 * together or not at all.
 *
 * A turn is a lock that PostgreSQL holds for the transaction. The server ends a connection that stands still in it for
 * longer than the lease, so whoever lost its turn cannot commit. When the answer to a commit is lost, `once` rejects
 * although it may have happened; the redelivery finds out. A serialization failure rejects like any other, with nothing
 * kept. PGlite has one transaction at a time: nobody can take a turn over there, and others wait rather than be "busy".
 */
export function postgresInbox<Client>(options: PostgresInboxOptions<Client>): Inbox<Client> {
  refuseUnknownNames(Object.keys(options), ["database", "schema"]);
  const { database, schema = defaultSchema } = options;
  requireSchemaName(schema);
  const sql = statements(schema);
  const leased = !database.serial;
  return {
    isTransactional: true,
    async once(entry, work) {
      await prepareSchema(database, schema);
      return database.transaction((transaction) => runOnce({ transaction, schema, sql, leased }, entry, work));
    },
    without: (work) => database.transaction(({ client }) => work(client)),
  };
}

interface Parts<Client> {
  readonly transaction: Transaction<Client>;
  readonly schema: string;
  readonly sql: Statements;
  /** Whether a turn can be lost to somebody else. */
  readonly leased: boolean;
}

async function runOnce<Client>(
  { transaction, schema, sql, leased }: Parts<Client>,
  entry: InboxEntry,
  work: (turn: Turn<Client>) => Promise<void>,
): Promise<InboxOutcome> {
  const digest = digestOf(entry);
  const turnValues = [digest, lockOf(schema, digest), leased ? entry.leaseMs : null];
  const { rows } = await transaction.query<{ outcome: "yours" | "busy" | "duplicate" }>(sql.begin, turnValues);
  const outcome = rows[0]?.outcome ?? "busy";
  if (outcome !== "yours") return outcome;
  let abandoned = false;
  await work({
    tx: transaction.client,
    extend: async (ms) => !abandoned && (!leased || (await keepTurn(transaction, sql, ms))),
    abandon() {
      abandoned = true;
      transaction.discard();
    },
  });
  if (abandoned) throw turnLost("was given up");
  await remember(transaction, sql, { ...entry, digest });
  return "ran";
}

/** A connection with a statement under way does not stand still, and one more would only wait behind it. */
async function keepTurn(transaction: Transaction, sql: Statements, ms: number): Promise<boolean> {
  if (transaction.busy) return true;
  try {
    await transaction.query(sql.keep, [String(Math.ceil(ms))]);
    return true;
  } catch (error) {
    // A failed statement of the handler's own leaves the transaction unusable, not lost: it may have a savepoint.
    return hasCode(error, "25P02");
  }
}

async function remember(
  queries: Queries,
  sql: Statements,
  { digest, scope, key, windowMs }: InboxEntry & { readonly digest: Buffer },
): Promise<void> {
  const { count } = await queries.query(sql.remember, [digest, readable(scope), readable(key), windowMs]);
  if (count === 0) throw turnLost("was lost, and another succeeded meanwhile");
}

type Statements = ReturnType<typeof statements>;

function statements(schema: string) {
  const at = quoteName(schema);
  return {
    begin: `select ${at}.begin_inbox_turn($1::bytea, $2::bigint, $3::float8) as outcome`,
    keep: "select set_config('idle_in_transaction_session_timeout', $1, true)",
    // A row that is there and not past can only be another's success: then nothing is written, and nothing must be kept.
    remember: `with forgotten as (
        delete from ${at}.inbox where digest = any (array(
          select digest from ${at}.inbox where expires_at <= ${at}.clock() and digest <> $1
          order by expires_at limit ${forgottenAtOnce} for update skip locked
        ))
      )
      insert into ${at}.inbox as known (digest, scope, key, expires_at)
      values ($1, $2, $3, ${at}.clock() + $4::float8 * interval '1 ms')
      on conflict (digest) do update set
        succeeded_at = excluded.succeeded_at, expires_at = excluded.expires_at
      where known.expires_at <= ${at}.clock()`,
  };
}

/** The length keeps a scope and a key from being taken for another pair; UTF-16 keeps what UTF-8 would replace. */
function digestOf({ scope, key }: InboxEntry): Buffer {
  return createHash("sha256")
    .update(Buffer.from(`${scope.length}:${scope}${key}`, "utf16le"))
    .digest();
}

/** Locks are the whole database's: the same key in another schema is another's. */
function lockOf(schema: string, digest: Buffer): string {
  return createHash("sha256").update(schema).update(digest).digest().readBigInt64BE().toString();
}

function readable(text: string): string {
  return text.slice(0, maxReadable).replaceAll("\0", "\u2400");
}

function turnLost(how: string): OfficeError {
  return new OfficeError("TRANSACTION_OVER", `The turn at this message ${how}: nothing of it is kept.`);
}
