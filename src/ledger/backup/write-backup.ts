import { type BodyStore, hashInRef, readBody, readBodyIfPossible } from "../../domain/body-store.ts";
import { type Queries, quoteName } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { Ledger } from "../ledger.ts";
import { type BackupTable, backupTables } from "./backup-tables.ts";

/** A row's line is this, the row as the database wrote it, and a brace: parsed, long numbers would lose their last digits. */
export const rowStart = '{"kind":"row","row":';

/** Rows fetched at once. */
const fetchedAtOnce = 100;
/** Larger bodies are fetched one by one, in bytes: a hundred of them might not fit into memory. */
const largeBody = 131_072;

export interface BackupRequest {
  readonly bodies: BodyStore | null;
  /** Go on without large bodies that cannot be read; otherwise they are refused, at the end. */
  readonly withoutBodies: boolean;
  readonly write: (line: string) => Promise<void>;
}

export interface BackedUp {
  readonly lines: number;
  /** Large bodies that could not be read, and are not in it. */
  readonly missingBodies: number;
}

/**
 * The whole ledger as lines of JSON, as it was at one moment: what it is, for each table its rows, large bodies that lie beside it,
 * and last how many lines there are. Bodies are in it as they came, unmasked.
 */
export async function writeBackup(ledger: Ledger, { bodies, withoutBodies, write }: BackupRequest): Promise<BackedUp> {
  let lines = 0;
  let missingBodies = 0;
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
    for await (const body of bodiesOf(ledger, transaction, { bodies, withoutBodies })) {
      if (body === null) missingBodies += 1;
      else await say(body);
    }
  });
  if (missingBodies > 0 && !withoutBodies) throw missing(missingBodies);
  await write(JSON.stringify({ kind: "end", lines }));
  return { lines, missingBodies };
}

async function* rowsOf(
  { at }: Ledger,
  queries: Queries,
  { name, columns }: BackupTable,
): AsyncGenerator<readonly string[]> {
  const listed = columns.map(quoteName).join(", ");
  const rowsWhere = (condition: string) =>
    `select to_json(t)::text as text from (select ${listed} from ${at}.${quoteName(name)} where ${condition}) t`;
  const size = columns.includes("body") ? "coalesce(octet_length(body), 0)" : "0";
  yield* pages(queries, rowsWhere(`${size} <= ${largeBody}`));
  if (columns.includes("body")) yield* pages(queries, rowsWhere(`${size} > ${largeBody}`), 1);
}

/** Null for each that is not there, or cannot be read where somebody said to go on without. */
async function* bodiesOf(
  { at }: Ledger,
  queries: Queries,
  { bodies, withoutBodies }: Pick<BackupRequest, "bodies" | "withoutBodies">,
): AsyncGenerator<string | null> {
  const read = withoutBodies ? readBodyIfPossible : readBody;
  const statement = `select distinct body_ref as text from ${at}.bodies where body_ref is not null`;
  for await (const page of pages(queries, statement)) {
    for (const ref of page) {
      const body = await read(bodies, ref);
      const line = body && { kind: "body", sha256: hashInRef(ref), base64: Buffer.from(body).toString("base64") };
      yield line && JSON.stringify(line);
    }
  }
}

function missing(count: number): OfficeError {
  const sentence =
    count === 1
      ? "1 large body that lies beside the ledger cannot be read."
      : `${count} large bodies that lie beside the ledger cannot be read.`;
  return new OfficeError(
    "STORE_UNAVAILABLE",
    `${sentence} Run it where they are (\`ledger.bodies.path\`, or DLO_DATA), or go on without them: --without-bodies.`,
    { details: { missingBodies: count } },
  );
}

async function* pages(queries: Queries, statement: string, atOnce = fetchedAtOnce): AsyncGenerator<readonly string[]> {
  await queries.query(`declare backup cursor for ${statement}`);
  for (;;) {
    const { rows } = await queries.query<{ text: string }>(`fetch ${atOnce} from backup`, []);
    if (rows.length === 0) break;
    yield rows.map(({ text }) => text);
  }
  await queries.query("close backup");
}
