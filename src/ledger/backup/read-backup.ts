import type { Actor } from "../../domain/actor.ts";
import type { BodyStore } from "../../domain/body-store.ts";
import { type Queries, quoteName } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { recordAction } from "../audit.ts";
import { type Ledger, makeReadyFor } from "../ledger.ts";
import { requireNoProcess } from "../processes.ts";
import { type BackupLine, backupLine, noBackup } from "./backup-line.ts";
import { backupTables } from "./backup-tables.ts";

export interface RestoreRequest {
  readonly actor: Actor;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly bodies: BodyStore | null;
  /** Lines of the backup. */
  readonly lines: AsyncIterable<string>;
}

export interface Restored {
  /** When the backup was made. */
  readonly backupAt: string;
  readonly rows: number;
  /** Replays that were under way, and are halted now. */
  readonly halted: number;
}

const insertedAtOnce = 200;
/** Rows of so many characters together are not made to wait for others: a statement has an end, and so has memory. */
const insertedLength = 16_777_216;

/**
 * Fills an empty ledger from a backup, all of it or nothing, and begins a new incarnation: replays that were under way are halted,
 * leases are over, and nobody is signed in.
 */
export async function readBackup(ledger: Ledger, request: RestoreRequest): Promise<Restored> {
  return ledger.database.transaction(async (transaction) => {
    await requireNoProcess(ledger, transaction);
    await requireEmpty(ledger, transaction);
    const { backupAt, rows } = await new Restore(ledger, transaction, request).run();
    await continueSequences(ledger, transaction);
    // A backup of before there was such a table says nothing of them.
    await transaction.query(`select ${ledger.at}.note_all_returns()`, []);
    // Nor does one of before there were hours of failure.
    await transaction.query(`select ${ledger.at}.mend_failures()`, []);
    await transaction.query(`select ${ledger.at}.recount_failures()`, []);
    const halted = await beginIncarnation(ledger, transaction, backupAt);
    const details = { backupAt, rows, halted };
    const { now: at, actor } = request;
    await recordAction(ledger, transaction, { at, actor, action: "ledger.restored", details });
    return { backupAt, rows, halted };
  });
}

class Restore {
  readonly #ledger: Ledger;
  readonly #queries: Queries;
  readonly #request: RestoreRequest;
  #known: ReadonlySet<string> = new Set();
  #table = "";
  #columns: readonly string[] = [];
  #waiting: string[] = [];
  #waitingLength = 0;
  #backupAt = "";
  #rows = 0;

  constructor(ledger: Ledger, queries: Queries, request: RestoreRequest) {
    this.#ledger = ledger;
    this.#queries = queries;
    this.#request = request;
  }

  async run(): Promise<{ readonly backupAt: string; readonly rows: number }> {
    this.#known = new Set((await backupTables(this.#ledger, this.#queries)).map(({ name }) => name));
    let lines = 0;
    let said: number | null = null;
    for await (const text of this.#request.lines) {
      const line = backupLine(text);
      if ((lines === 0) !== (line.kind === "backup") || said !== null) throw noBackup();
      if (line.kind === "end") said = line.lines;
      else {
        await this.#take(line);
        lines += 1;
      }
    }
    await this.#flush();
    if (said !== lines)
      throw new OfficeError("INVALID_FILE", "The backup was cut: its end is missing. Nothing was restored.");
    return { backupAt: this.#backupAt, rows: this.#rows };
  }

  async #take(line: Exclude<BackupLine, { kind: "end" }>): Promise<void> {
    switch (line.kind) {
      case "backup":
        this.#backupAt = line.at;
        for (const week of line.weeks) await makeReadyFor({ ...this.#ledger, database: this.#inside() }, week);
        return;
      case "table":
        await this.#flush();
        if (!this.#known.has(line.table)) throw newer(line.table);
        this.#table = line.table;
        this.#columns = line.columns;
        // What a new ledger has from the beginning, such as the head of an empty log.
        await this.#queries.query(`delete from ${this.#ledger.at}.${quoteName(line.table)}`);
        return;
      case "row":
        if (this.#table === "") throw noBackup();
        this.#waiting.push(line.json);
        this.#waitingLength += line.json.length;
        if (this.#waiting.length >= insertedAtOnce || this.#waitingLength >= insertedLength) await this.#flush();
        return;
      case "body":
        await this.#flush();
        await this.#request.bodies?.keep(line.sha256, line.body);
    }
  }

  /** The same transaction for what asks a database. */
  #inside(): Ledger["database"] {
    return { ...this.#ledger.database, query: this.#queries.query.bind(this.#queries) };
  }

  async #flush(): Promise<void> {
    const rows = this.#waiting.splice(0);
    this.#waitingLength = 0;
    if (rows.length === 0) return;
    const table = `${this.#ledger.at}.${quoteName(this.#table)}`;
    const columns = this.#columns.map(quoteName).join(", ");
    await this.#queries
      .query(
        `insert into ${table} (${columns}) overriding system value
       select ${columns} from json_populate_recordset(null::${table}, $1::json)`,
        [`[${rows.join(",")}]`],
      )
      .catch((error: unknown) => {
        throw isAboutRows(error) ? notTaken(this.#table, error) : error;
      });
    this.#rows += rows.length;
  }
}

/** Data that is none, that breaks what holds for the table, or that names what it does not have. */
function isAboutRows(error: unknown): error is Error {
  return error instanceof Error && "code" in error && /^(22|23|42)\w{3}$/.test(String(error.code));
}

function notTaken(table: string, cause: Error): OfficeError {
  return new OfficeError(
    "INVALID_FILE",
    `The backup has rows that the table ${table} cannot take: ${cause.message}. Nothing was restored. It was damaged, or written by another version.`,
    { cause },
  );
}

function newer(table: string): OfficeError {
  return new OfficeError(
    "SCHEMA_MISMATCH",
    `The backup has a table ${table} that this version does not know. Restore it with the version that wrote it, or a newer one.`,
  );
}

async function requireEmpty({ at }: Ledger, queries: Queries): Promise<void> {
  const { rows } = await queries.query<{ is_used: boolean }>(
    `select exists (select from ${at}.letters) or exists (select from ${at}.audit_log) or exists (select from ${at}.people) as is_used`,
    [],
  );
  if (rows[0]?.is_used !== true) return;
  throw new OfficeError(
    "LEDGER_IN_USE",
    "This ledger is not empty. Restore into a new one: another data folder (DLO_DATA), or a new database.",
  );
}

/** Numbers go on behind the highest that was restored. */
async function continueSequences({ at }: Ledger, queries: Queries): Promise<void> {
  const { rows } = await queries.query<{ sequence: string; owner: string; column: string }>(
    `select s.oid::regclass::text as sequence, t.relname::text as owner, a.attname::text as "column"
     from (
       select d.objid as sequence, d.refobjid as owner, d.refobjsubid as place
       from pg_depend d where d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i') and d.refobjsubid > 0
       union select d.refobjid, v.adrelid, v.adnum
       from pg_attrdef v join pg_depend d on d.classid = 'pg_attrdef'::regclass and d.objid = v.oid
     ) used join pg_class s on s.oid = used.sequence and s.relkind = 'S'
       join pg_class t on t.oid = used.owner and not t.relispartition
       join pg_attribute a on a.attrelid = t.oid and a.attnum = used.place
     where t.relnamespace = to_regnamespace($1)`,
    [at],
  );
  for (const { sequence, owner, column } of rows) {
    const highest = `(select max(${quoteName(column)}) from ${at}.${quoteName(owner)})`;
    await queries.query(`select setval($1::regclass, coalesce(${highest}, 1), ${highest} is not null)`, [sequence]);
  }
}

/** What was under way may have gone on after the backup was made. It goes on only by somebody's word. */
async function beginIncarnation({ at }: Ledger, queries: Queries, backupAt: string): Promise<number> {
  // Letters have the clock of whoever drained them, a backup that of its database. All that are here were in the backup.
  await queries.query(
    `insert into ${at}.incarnations (backup_at)
     values (greatest($1::timestamptz, (select max(arrived_at) from ${at}.letters)))`,
    [backupAt],
  );
  // The code of the empty ledger's first run would let whoever has it in, beside the people that were restored.
  await queries.query(`delete from ${at}.invitations`, []);
  await queries.query(`update ${at}.drain_sessions set ended_at = ${at}.clock() where ended_at is null`, []);
  const sentence = `The ledger was restored to ${backupAt}: what was sent after that is not known here.`;
  const { rows } = await queries.query<{ id: string }>(
    `update ${at}.replays set state = 'halted', halted_by = $1, lease_until = null, epoch = epoch + 1, landed_intents = -1
     where state in ('running', 'paused', 'settling') returning id`,
    [JSON.stringify({ guard: "ledger.restored", sentence })],
  );
  for (const { id } of rows) await queries.query(`select ${at}.doubt_abandoned($1)`, [id]);
  return rows.length;
}
