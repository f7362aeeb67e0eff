import { ConsecutiveBreaker, circuitBreaker, ExponentialBackoff, handleAll, retry, wrap } from "cockatiel";
import CircuitBreaker from "opossum";
import { createBudget } from "../src/policies/budget.ts";
import { createGuard } from "../src/policies/guard.ts";
import { createBreaker } from "../src/runtime/breaker.ts";
import { systemHost } from "../src/system/host.ts";
import { serveSamples } from "./child-variant.ts";

const callsPerSample = 200_000;

const work = async () => {};

serveSamples({
  "bare call": timed(() => work),
  "guard: retry, breaker, budget": timed(() => {
    const { clock, random } = systemHost;
    const guard = createGuard({ breaker: createBreaker(), budget: createBudget(), clock, random });
    return () => guard(work);
  }),
  "cockatiel: retry, breaker": timed(() => {
    const retries = retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() });
    const breaker = circuitBreaker(handleAll, { halfOpenAfter: 30_000, breaker: new ConsecutiveBreaker(5) });
    const policy = wrap(retries, breaker);
    return () => policy.execute(work);
  }),
  "opossum: breaker": timed(() => {
    const breaker = new CircuitBreaker(work, { timeout: false });
    return () => breaker.fire();
  }),
});

/** Nanoseconds of processor time a call, over many; the first sample also warms up. */
function timed(make: () => () => Promise<unknown>): () => Promise<number> {
  let call: (() => Promise<unknown>) | undefined;
  return async () => {
    if (call === undefined) {
      call = make();
      await repeat(call, callsPerSample);
    }
    // Not the time that passes: what else runs on the machine would be in it.
    const before = process.cpuUsage();
    await repeat(call, callsPerSample);
    const { user, system } = process.cpuUsage(before);
    return ((user + system) * 1_000) / callsPerSample;
  };
}

async function repeat(call: () => Promise<unknown>, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await call();
}
