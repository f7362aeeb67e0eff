import type { Database, Queries, Transaction } from "../../src/domain/database.ts";
import { type Failpoint, pass } from "./failpoint.ts";

/** What a statement is to its users: the step of their work that it does. */
export type StepOf = (sql: string) => string | undefined;

/** The same database, in which a process ends at `failpoint`. A transaction's end is the step "commit". */
export function armedDatabase<Client>(
  database: Database<Client>,
  failpoint: Failpoint | undefined,
  stepOf: StepOf,
): Database<Client> {
  if (failpoint === undefined) return database;
  const arm = (queries: Queries): Queries["query"] => {
    return (text, values) => pass(stepOf(text), failpoint, () => queries.query(text, values));
  };
  const { moment } = failpoint;
  const atCommit = (when: "asked" | "answered") =>
    (moment === "after") === (when === "answered") ? pass("commit", failpoint, () => Promise.resolve()) : undefined;
  return {
    ...database,
    query: arm(database),
    async transaction(run) {
      const result = await database.transaction(async (transaction) => {
        const given = await run(armedTransaction(transaction, arm(transaction)));
        // Not waited for: a death during the commit is one after the commit was asked for.
        void atCommit("asked");
        return given;
      });
      await atCommit("answered");
      return result;
    },
  };
}

function armedTransaction<Client>(
  transaction: Transaction<Client>,
  query: Transaction<Client>["query"],
): Transaction<Client> {
  return {
    query,
    client: transaction.client,
    copyIn: (...tables) => transaction.copyIn(...tables),
    discard: () => transaction.discard(),
    get busy() {
      return transaction.busy;
    },
  };
}
