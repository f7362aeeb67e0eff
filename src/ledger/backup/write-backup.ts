import type { BodyStore } from "../../domain/body-store.ts";
import { type Queries, quoteName } from "../../domain/database.ts";
import type { Ledger } from "../ledger.ts";
import { type BackupTable, backupTables } from "./backup-tables.ts";

/** A row's line is this, the row as the database wrote it, and a brace: parsed, long numbers would lose their last digits. */
export const rowStart = '{"kind":"row","row":';

/** Rows fetched at once: with bodies in them they may be large. */
const fetchedAtOnce = 100;

/**
 * The whole ledger as lines of JSON, as it was at one moment: what it is, for each table its rows, large bodies that lie beside it,
 * and last how many lines there are. Bodies are in it as they came, unmasked.
 */
export async function writeBackup(
  ledger: Ledger,
  bodies: BodyStore | null,
  write: (line: string) => Promise<void>,
): Promise<number> {
  let lines = 0;
  const say = async (line: string) => {
    await write(line);
    lines += 1;
  };
  await ledger.database.transaction(async (transaction) => {
    await transaction.query("set transaction isolation level repeatable read, read only");
    const { rows } = await transaction.query<{ at: string; weeks: readonly string[] }>(
      // As make_partitions cuts them: a day of the session's time zone may begin in the week before.
      `select to_json(${ledger.at}.clock()) #>> '{}' as at, array(
         select distinct to_json(to_timestamp(floor(extract(epoch from arrived_at) / 604800) * 604800)) #>> '{}'
         from ${ledger.at}.letters
       ) as weeks`,
      [],
    );
    await say(JSON.stringify({ v: 1, kind: "backup", at: rows[0]?.at, weeks: rows[0]?.weeks, bodies: "unmasked" }));
    for (const table of await backupTables(ledger, transaction)) {
      await say(JSON.stringify({ kind: "table", table: table.name, columns: table.columns }));
      for await (const page of rowsOf(ledger, transaction, table))
        for (const row of page) await say(`${rowStart}${row}}`);
    }
    if (bodies !== null) for await (const body of bodiesOf(ledger, transaction, bodies)) await say(body);
  });
  await write(JSON.stringify({ kind: "end", lines }));
  return lines;
}

async function* rowsOf(
  { at }: Ledger,
  queries: Queries,
  { name, columns }: BackupTable,
): AsyncGenerator<readonly string[]> {
  const listed = columns.map(quoteName).join(", ");
  yield* pages(queries, `select to_json(t)::text as text from (select ${listed} from ${at}.${quoteName(name)}) t`);
}

async function* bodiesOf({ at }: Ledger, queries: Queries, bodies: BodyStore): AsyncGenerator<string> {
  const statement = `select distinct body_ref as text from ${at}.bodies where body_ref like '${bodies.name}:%'`;
  for await (const page of pages(queries, statement)) {
    for (const ref of page) {
      const sha256 = ref.slice(bodies.name.length + 1);
      const body = await bodies.read(sha256);
      if (body !== null) yield JSON.stringify({ kind: "body", sha256, base64: Buffer.from(body).toString("base64") });
    }
  }
}

async function* pages(queries: Queries, statement: string): AsyncGenerator<readonly string[]> {
  await queries.query(`declare backup cursor for ${statement}`);
  for (;;) {
    const { rows } = await queries.query<{ text: string }>(`fetch ${fetchedAtOnce} from backup`, []);
    if (rows.length === 0) break;
    yield rows.map(({ text }) => text);
  }
  await queries.query("close backup");
}
