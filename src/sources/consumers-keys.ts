import type { SourceConfig } from "../config/config.ts";
import type { Reference, ReferenceOrigin } from "../config/reference.ts";
import { type OpenPg, openPg } from "../databases/open-pg.ts";
import { type Database, quoteName } from "../domain/database.ts";
import { OfficeError } from "../domain/errors.ts";
import { defaultSchema } from "../schema/migrate.ts";
import type { BlockedKeysAdmin } from "../stores/blocked-keys.ts";
import { blockedKeysAdmin } from "../stores/postgres-blocked-keys-admin.ts";
import type { OpenedSource } from "./opened-source.ts";

/** The database where the ordered consumers of a source keep their blocked keys. */
export interface KeysAddress {
  readonly url: Reference;
  readonly schema: string;
}

const connections = 2;
const limitMs = 30_000;

/** Null: the configuration doesn't say where they are, or they are in the source's own database. */
export function keysAddressOf({ keys }: SourceConfig, sources: readonly SourceConfig[]): KeysAddress | null {
  if (keys === undefined) return null;
  if ("url" in keys) return keys;
  const named = sources.find(({ name, broker }) => name === keys.source && broker === "postgres");
  return named === undefined ? null : { url: named.url, schema: named.schema ?? defaultSchema };
}

/** The same source with the blocked keys at that address, which is opened when it is first needed: its letters don't wait for it. */
export function withBlockedKeys(
  opened: OpenedSource,
  { url, schema }: KeysAddress,
  origin: ReferenceOrigin,
): OpenedSource {
  let opening: Promise<OpenPg> | null = null;
  const admin = async (): Promise<BlockedKeysAdmin> => {
    opening ??= url.resolve(origin).then((address) => openPg(address, { connections, limitMs }));
    const mine = opening;
    const { database } = await mine.catch((error: unknown) => {
      // A variable that is not set may be set later.
      if (opening === mine) opening = null;
      throw error;
    });
    await requireTables(database, schema);
    return blockedKeysAdmin({ database, schema });
  };
  return {
    ...opened,
    blockedKeys: {
      release: async (...of) => (await admin()).release(...of),
      list: async (...of) => (await admin()).list(...of),
      find: async (...of) => (await admin()).find(...of),
      summarize: async () => (await admin()).summarize(),
    },
    async close() {
      await Promise.all([opened.close(), opening?.then(({ close }) => close()).catch(() => {})]);
    },
  };
}

/** Where they were said to be and are not, no answer is better than that no key is blocked. */
async function requireTables(database: Database, schema: string): Promise<void> {
  const table = `${quoteName(schema)}.lane_places`;
  const { rows } = await database.query<{ isThere: boolean }>(`select to_regclass($1) is not null as "isThere"`, [
    table,
  ]);
  if (rows[0]?.isThere === true) return;
  const text = `There is no table ${schema}.lane_places where \`keys\` of the source says that its consumers keep their blocked keys. Correct its schema or address; or start the consumers, which make the table.`;
  throw new OfficeError("STORE_UNAVAILABLE", text, { details: { schema } });
}
