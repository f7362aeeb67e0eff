import { requireNumber, requireOneOf, requireOption } from "../domain/options.ts";
import type { ConsumeOptions, Incident } from "./transport.ts";

export function requireConsumeOptions(options: ConsumeOptions): void {
  const { concurrency, prefetch, order, leaseMs, returnDelayMs } = options;
  requireNumber("concurrency", concurrency, { min: 1, integer: true });
  requireNumber("prefetch", prefetch, { min: 1, integer: true });
  requireOption(prefetch >= concurrency, "prefetch", `at least \`concurrency\` (${concurrency})`, prefetch);
  requireOneOf("order", order, ["none", "key"]);
  requireNumber("leaseMs", leaseMs, { min: 1 });
  requireNumber("returnDelayMs", returnDelayMs, { min: 0 });
}

/** An observer that fails is no reason to leave deliveries unsettled. */
export function harmless(report: ConsumeOptions["report"]): (incident: Incident) => void {
  return (incident) => {
    try {
      report?.(incident);
    } catch {
      // Whoever observes answers for his own failures.
    }
  };
}
