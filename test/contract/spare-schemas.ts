import { type Database, quoteName } from "../../src/domain/database.ts";
import { migrate } from "../../src/schema/migrate.ts";

/** By database: schemas with all our tables that somebody is done with, and has emptied. */
const spare = new WeakMap<object, string[]>();

/** A schema in which our tables are empty. Making them takes a quarter of a second, so whoever can gives them back. */
export async function takeSchema<Client>(database: Database<Client>): Promise<string> {
  const left = spare.get(database)?.pop();
  if (left !== undefined) return left;
  const schema = `schema ${crypto.randomUUID()}`;
  await migrate({ database, schema });
  return schema;
}

/** Only where nobody is at work there any more, and nothing else was written than into these tables. */
export async function giveBackSchema<Client>(
  database: Database<Client>,
  schema: string,
  written: readonly string[],
): Promise<void> {
  const at = quoteName(schema);
  await database.query(written.map((table) => `delete from ${at}.${table}`).join("; "));
  spare.set(database, [...(spare.get(database) ?? []), schema]);
}
