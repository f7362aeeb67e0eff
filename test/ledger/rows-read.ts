import type { Database } from "../../src/domain/database.ts";

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[] | undefined;
}

/** The same database, and all that it is asked. */
export function overheard<Client>(database: Database<Client>): {
  readonly database: Database<Client>;
  readonly heard: Statement[];
} {
  const heard: Statement[] = [];
  const query: Database["query"] = (text, values) => {
    heard.push({ text, values });
    return database.query(text, values);
  };
  return { heard, database: { ...database, query } };
}

/** A step of a plan as EXPLAIN tells it. */
interface Step {
  readonly "Total Cost": number;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly Step[];
}

/** Those it then throws away among them. */
function rowsRead(step: Step): number {
  const { "Actual Rows": rows, "Actual Loops": loops, "Relation Name": table, Plans = [] } = step;
  const thrownAway = (step["Rows Removed by Filter"] ?? 0) + (step["Rows Removed by Index Recheck"] ?? 0);
  const own = table === undefined ? 0 : (rows + thrownAway) * loops;
  return Plans.reduce((sum, each) => sum + rowsRead(each), own);
}

export interface Reading {
  /** How many rows it takes from tables. */
  readonly rows: number;
  /** How dear PostgreSQL expects it to be. */
  readonly cost: number;
}

/** What a statement takes when it is run again. */
export async function readBy(database: Database, { text, values }: Statement): Promise<Reading> {
  const { rows } = await database.query<{ "QUERY PLAN": readonly { readonly Plan: Step }[] }>(
    `explain (analyze, format json) ${text}`,
    values,
  );
  const plan = rows[0]?.["QUERY PLAN"][0]?.Plan as Step;
  return { rows: rowsRead(plan), cost: plan["Total Cost"] };
}
