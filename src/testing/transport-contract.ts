import { type ContractTest, contractTests } from "./contract.ts";
import { Bench, type TransportSubject } from "./transport-contract/bench.ts";
import { flow } from "./transport-contract/flow.ts";
import { ordering } from "./transport-contract/ordering.ts";
import { asContractPromise } from "./transport-contract/promises.ts";
import { redelivery } from "./transport-contract/redelivery.ts";
import { sending } from "./transport-contract/sending.ts";
import { settling } from "./transport-contract/settling.ts";
import { stopping } from "./transport-contract/stopping.ts";

/**
 * What every transport promises, one test a promise. A new transport is done when this passes against the real broker.
 *
 * The tests share nothing, so a runner may run them side by side; on a broker at hand that takes a few seconds.
 *
 * ```ts
 * for (const { title, exempt, run } of transportContract(subject)) it.skipIf(exempt).concurrent(title, run);
 * ```
 */
export function transportContract(subject: TransportSubject): readonly ContractTest[] {
  const promises = [...sending, ...settling, ...redelivery, ...flow, ...ordering, ...stopping];
  return contractTests(
    promises.map((promise) => asContractPromise(promise, subject)),
    subject.exempt ?? {},
    (run) => withBench(subject, run),
  );
}

async function withBench(subject: TransportSubject, run: (bench: Bench) => Promise<void>): Promise<void> {
  const bench = new Bench(subject, await subject.connect());
  try {
    await run(bench);
  } finally {
    await bench.clear();
  }
}
