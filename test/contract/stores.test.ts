import type { PGlite, Transaction } from "@electric-sql/pglite";
import { Redis } from "ioredis";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, describe, it } from "vitest";
import { pgDatabase } from "../../src/databases/pg.ts";
import { pgliteDatabase } from "../../src/databases/pglite.ts";
import type { Database } from "../../src/domain/database.ts";
import { postgresBlockedKeys } from "../../src/stores/postgres-blocked-keys.ts";
import { postgresInbox } from "../../src/stores/postgres-inbox.ts";
import { postgresSharedState } from "../../src/stores/postgres-shared-state.ts";
import { redisInbox } from "../../src/stores/redis-inbox.ts";
import { redisSharedState } from "../../src/stores/redis-shared-state.ts";
import { type BlockedKeysSubject, blockedKeysContract } from "../../src/testing/blocked-keys-contract.ts";
import type { InboxSubject } from "../../src/testing/inbox-contract/bench.ts";
import { inboxContract } from "../../src/testing/inbox-contract.ts";
import { type SharedStateSubject, sharedStateContract } from "../../src/testing/shared-state-contract.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPgBouncer } from "../servers/pgbouncer.ts";
import { startPglite } from "../servers/pglite.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRedis } from "../servers/redis.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRedis } from "../servers/use-redis.ts";
import { giveBackSchema, takeSchema } from "./spare-schemas.ts";

/**
 * Each store in a schema that is empty; the other process has connections of its own. An inbox has one of its own: some of
 * its callers stand still for ever.
 */
function storesOf<Client>(databases: () => { readonly mine: Database<Client>; readonly theirs: Database<Client> }) {
  const inbox = (write: (client: Client, sql: string, line: string) => Promise<void>): InboxSubject<Client> => ({
    transactional: true,
    async open() {
      const { mine, theirs } = databases();
      const schema = `stores_${crypto.randomUUID().slice(0, 8)}`;
      await mine.query(`create schema ${schema}; create table ${schema}.lines (line text)`);
      return {
        inbox: postgresInbox({ database: mine, schema }),
        other: postgresInbox({ database: theirs, schema }),
        write: (client, line) => write(client, `insert into ${schema}.lines values ($1)`, line),
        async lines() {
          const { rows } = await mine.query<{ line: string }>(`select line from ${schema}.lines`);
          return rows.map(({ line }) => line);
        },
        async close() {
          await mine.query(`drop schema if exists ${schema} cascade`);
        },
      };
    },
  });
  const shared: SharedStateSubject = {
    async open() {
      const { mine, theirs } = databases();
      const schema = await takeSchema(mine);
      return {
        state: postgresSharedState({ database: mine, schema }),
        other: postgresSharedState({ database: theirs, schema }),
        close: () => giveBackSchema(mine, schema, ["shared_documents"]),
      };
    },
  };
  const blocked: BlockedKeysSubject = {
    async open() {
      const { mine, theirs } = databases();
      const schema = await takeSchema(mine);
      return {
        store: postgresBlockedKeys({ database: mine, schema }),
        other: postgresBlockedKeys({ database: theirs, schema }),
        close: () => giveBackSchema(mine, schema, ["lane_places", "lane_copies", "lane_passes"]),
      };
    },
  };
  return { inbox, shared, blocked };
}

async function writeWithPg(client: PoolClient, sql: string, line: string): Promise<void> {
  await client.query(sql, [line]);
}

for (const pooled of [false, true]) {
  const where = pooled ? "PostgreSQL behind PgBouncer in transaction mode" : "PostgreSQL";
  describeServer(`stores: ${where}`, noPostgres ?? (pooled ? noPgBouncer : undefined), () => {
    const postgres = usePostgres({ pooled });
    let theirs: Database<PoolClient>;
    beforeAll(() => {
      theirs = pgDatabase(postgres.otherPool());
    });
    const { inbox, shared, blocked } = storesOf(() => ({ mine: postgres.database, theirs }));
    for (const { title, exempt, run } of inboxContract(inbox(writeWithPg))) it.skipIf(exempt)(`inbox: ${title}`, run);
    for (const { title, exempt, run } of sharedStateContract(shared)) it.skipIf(exempt)(`shared state: ${title}`, run);
    for (const { title, exempt, run } of blockedKeysContract(blocked)) it.skipIf(exempt)(`blocked keys: ${title}`, run);
  });
}

describe("stores: PGlite", () => {
  const oneAtATime = "on PGlite transactions run one after the other, so others wait instead";
  let database: Database<Transaction>;
  let pglite: PGlite;
  beforeAll(async () => {
    pglite = await startPglite();
    database = pgliteDatabase(pglite);
  });
  afterAll(() => pglite.close());
  const { inbox, shared, blocked } = storesOf(() => ({ mine: database, theirs: database }));
  const subject: InboxSubject<Transaction> = {
    ...inbox(async (client, sql, line) => {
      await client.query(sql, [line]);
    }),
    exempt: {
      "calls a key busy while somebody is at work": oneAtATime,
      "keeps the turn of whoever extends it in time": oneAtATime,
      "gives the turn of a caller that stood still to the next": oneAtATime,
      "rejects a caller that lost its turn, however well its work ended": oneAtATime,
      "takes back what a caller wrote that lost its turn": oneAtATime,
    },
  };
  for (const { title, exempt, run } of inboxContract(subject)) it.skipIf(exempt)(`inbox: ${title}`, run);
  for (const { title, exempt, run } of sharedStateContract(shared)) it.skipIf(exempt)(`shared state: ${title}`, run);
  for (const { title, exempt, run } of blockedKeysContract(blocked)) it.skipIf(exempt)(`blocked keys: ${title}`, run);
});

describeServer("stores: Redis", noRedis, () => {
  const redis = useRedis();
  let clients: { readonly mine: Redis; readonly theirs: Redis };
  beforeAll(() => {
    clients = { mine: new Redis(redis.url), theirs: new Redis(redis.url) };
  });
  afterAll(() => {
    clients.mine.disconnect();
    clients.theirs.disconnect();
  });
  const newPrefix = () => `stores-${crypto.randomUUID()}`;
  const inbox: InboxSubject<undefined> = {
    transactional: false,
    async open() {
      const prefix = newPrefix();
      const { mine, theirs } = clients;
      const other = redisInbox({ client: theirs, prefix });
      return { inbox: redisInbox({ client: mine, prefix }), other, close: async () => {} };
    },
  };
  const shared: SharedStateSubject = {
    async open() {
      const prefix = newPrefix();
      const { mine, theirs } = clients;
      const other = redisSharedState({ client: theirs, prefix });
      return { state: redisSharedState({ client: mine, prefix }), other, close: async () => {} };
    },
  };
  for (const { title, exempt, run } of inboxContract(inbox)) it.skipIf(exempt)(`inbox: ${title}`, run);
  for (const { title, exempt, run } of sharedStateContract(shared)) it.skipIf(exempt)(`shared state: ${title}`, run);
});
