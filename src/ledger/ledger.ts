import { everywhere, type Scope } from "../domain/actor.ts";
import { type Database, quoteName } from "../domain/database.ts";
import { withDefaults } from "../domain/options.ts";
import { defaultMasking, type Masking } from "../domain/redaction.ts";
import { defaultSchema, prepareSchema, requireSchemaName } from "../schema/migrate.ts";

export interface LedgerOptions {
  /** Made by `pgDatabase` or `pgliteDatabase`. */
  readonly database: Database;
  /** Where the tables are; they are made on first use, or by `migrate`. @default "dlo" */
  readonly schema?: string;
  /** What searches must not find out, because no list shows it. @default what looks like a secret or personal data */
  readonly masking?: Masking;
}

/** The record of every letter, on PostgreSQL or PGlite. What can be asked of it is a function each, in this folder. */
export interface Ledger {
  readonly database: Database;
  /** The schema, as it stands in a statement. */
  readonly at: string;
  readonly masking: Masking;
  /** The queues whose letters, groups and replays can be seen through it: whoever asks for somebody narrows it down to theirs. */
  readonly scope: Scope;
  /** What this process knows to be there: groups, stacks, queues. */
  readonly seen: Seen;
}

/** Names of rows that were committed, so that they are not written again with each letter. */
export interface Seen {
  has(name: string): boolean;
  add(names: readonly string[]): void;
}

/** Beyond this all is forgotten, which costs a few statements. */
const maxSeen = 50_000;

function emptySeen(): Seen {
  const names = new Set<string>();
  return {
    has: (name) => names.has(name),
    add(more) {
      if (names.size + more.length > maxSeen) names.clear();
      for (const name of more) names.add(name);
    },
  };
}

/** Partitions are made for the weeks in which letters may come before somebody asks again, by any clock that is not far off. */
const weeksAhead = 4;

/** Opens the ledger, and makes it where there is none. Any number of processes may do so. */
export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const defaults = { database: options.database, schema: defaultSchema, masking: defaultMasking };
  const { database, schema, masking } = withDefaults(defaults, options);
  requireSchemaName(schema);
  await prepareSchema(database, schema);
  const ledger = { database, at: quoteName(schema), masking, scope: everywhere, seen: emptySeen() };
  await makeReady(ledger);
  return ledger;
}

/** Makes the partitions for this week and the next ones. */
async function makeReady({ database, at }: Ledger): Promise<void> {
  await database.query(
    `select ${at}.make_partitions(${at}.clock() + week * interval '7 days') from generate_series(-1, $1) as week`,
    [weeksAhead],
  );
}

/** Makes the partition for letters of that moment: a clock far off, or letters imported from elsewhere. */
export async function makeReadyFor({ database, at }: Ledger, moment: number): Promise<void> {
  await database.query(`select ${at}.make_partitions(to_timestamp($1::float8 / 1000))`, [moment]);
}
