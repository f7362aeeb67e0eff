import { type ContractTest, contractTests } from "./contract.ts";
import { InboxBench, type InboxSubject, type InboxUnderTest } from "./inbox-contract/bench.ts";
import { remembering } from "./inbox-contract/remembering.ts";
import { transactions } from "./inbox-contract/transactions.ts";
import { turns } from "./inbox-contract/turns.ts";

/** What every inbox promises, one test a promise. */
export function inboxContract<Tx>(subject: InboxSubject<Tx>): readonly ContractTest[] {
  const waived = subject.transactional ? undefined : "has no transactions";
  const promises = [...remembering, ...turns, ...transactions.map((promise) => ({ ...promise, waived }))];
  return contractTests(promises, subject.exempt ?? {}, async (run) => {
    const store: InboxUnderTest<unknown> = await subject.open();
    const bench = new InboxBench(store);
    try {
      await run(bench);
    } finally {
      await bench.clear();
      await store.close();
    }
  });
}
