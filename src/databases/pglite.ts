import type { PGlite, Transaction as PGliteTransaction, Results } from "@electric-sql/pglite";
import type { Database, QueryResult, Transaction } from "../domain/database.ts";
import { type Loan, lend } from "./borrowed-client.ts";

/**
 * PostgreSQL in this process, through PGlite: for trying out, for tests, for one small service.
 *
 * There is one connection for all, so transactions run one after the other, and whoever asks `database` inside a
 * transaction of its own waits for itself. It never calls fsync: it survives the death of the process, not a power cut.
 */
export function pgliteDatabase(pglite: PGlite): Database<PGliteTransaction> {
  return {
    serial: true,
    query: (text, values) => ask(pglite, text, values),
    transaction: (run) =>
      pglite.transaction(async (transaction) => {
        const loan = lend(transaction, { refused: ["query", "sql", "exec", "rollback", "listen"] });
        try {
          return await run(transactionOf(loan));
        } finally {
          loan.end();
        }
      }),
    async listen(channel, wake) {
      const stop = await pglite.listen(channel, () => wake());
      let stopping: Promise<void> | undefined;
      return () => {
        stopping ??= stop();
        return stopping;
      };
    },
  };
}

function transactionOf({ client, isBusy, end }: Loan<PGliteTransaction>): Transaction<PGliteTransaction> {
  return {
    client,
    get busy() {
      return isBusy();
    },
    query: (text, values) => ask(client, text, values),
    async copyIn(...tables) {
      for (const { target, rows } of tables) {
        const blob = new Blob([rows]);
        await client.query(`copy ${target} from '/dev/blob' (format binary)`, [], { blob });
      }
    },
    // There is no other connection: what ends with the transaction is the handle.
    discard: end,
  };
}

/** As `pg` has them: bigint as text. */
const parsers = { 20: (text: string) => text };

/** Without values the simple protocol is used, which takes several statements at once. */
async function ask<Row>(
  client: Pick<PGliteTransaction, "query" | "exec">,
  text: string,
  values: readonly unknown[] | undefined,
): Promise<QueryResult<Row>> {
  if (values !== undefined) return resultOf(await client.query<Row>(text, [...values], { parsers }));
  return resultOf((await client.exec(text, { parsers })).at(-1) as Results<Row> | undefined);
}

function resultOf<Row>(results: Results<Row> | undefined): QueryResult<Row> {
  const rows: Row[] = results?.rows ?? [];
  return { rows, count: results?.rowCount ?? rows.length };
}
