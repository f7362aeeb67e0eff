import { readDeadLetter } from "../../src/dialects/read-dead-letter.ts";
import type { Database, Queries } from "../../src/domain/database.ts";
import { idsInOrder, showId } from "../../src/domain/ids.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { wire } from "../../src/domain/wire.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import type { Grouping } from "../../src/office/grouping/grouping.ts";
import { groupingKeeper } from "../../src/office/grouping/grouping-keeper.ts";
import { policyKeeper } from "../../src/office/policy/policy-in-force.ts";
import { systemHost } from "../../src/system/host.ts";
import { classify } from "../../src/triage/classify.ts";
import { fingerprint } from "../../src/triage/fingerprint/fingerprint.ts";
import { deadLetter, hold, testRoom } from "./letters.ts";

export interface Failure {
  readonly message: string;
  readonly body?: object;
  /** @default coils */
  readonly queue?: string;
}

/** Letters as the runtime writes them, read, classified and placed as in a real drain. Gives their ids. */
export async function arrive(
  ledger: Ledger,
  failures: readonly Failure[],
  grouping: () => Promise<Grouping> = groupingKeeper(ledger, systemHost.clock),
): Promise<readonly string[]> {
  const ids: string[] = [];
  const newId = idsInOrder(() => crypto.randomUUID());
  const session = newId(Date.now());
  const policy = policyKeeper(ledger, systemHost.clock);
  const room = {
    ...{ ...testRoom(), read: readDeadLetter, triage: { classify, fingerprint }, grouping, policy },
    newLetterId() {
      const id = newId(Date.now());
      ids.push(showId("letter", id));
      return { id, arrivedAt: Date.now() };
    },
  };
  const letters = failures.map(({ message, body = {}, queue = "coils" }) => {
    const error = JSON.stringify({ class: "CoilError", message });
    const headers = { [wire.queue]: queue, [wire.reason]: "attempts_exhausted", [wire.error]: error };
    return deadLetter({}, { queue: `${queue}.dlq`, message: makeMessage({ body: JSON.stringify(body), headers }) });
  });
  const found = { kind: "delivery", session, redelivered: false } as const;
  await hold(
    ledger,
    letters.map((letter, ordinal) => ({ letter, found: { ...found, ordinal } })),
    { room },
  );
  return ids;
}

/** A process that dies before its nth statement, as the database sees it: what was not committed is gone. */
export function dyingAfter(database: Database, statements: number): Database {
  let left = statements;
  const living = <Given extends Queries>(queries: Given): Given => ({
    ...queries,
    query<Row>(text: string, values?: readonly unknown[]) {
      left -= 1;
      return left < 0 ? Promise.reject(new Error("killed")) : queries.query<Row>(text, values);
    },
  });
  return { ...living(database), transaction: (run) => database.transaction((transaction) => run(living(transaction))) };
}
