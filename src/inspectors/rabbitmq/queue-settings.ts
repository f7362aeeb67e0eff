import type { BrokerFacts, QueueFacts } from "./broker-facts.ts";

/** What holds for a queue, from its arguments and policies together. */
export interface QueueSettings {
  readonly deadLetterExchange: string | null;
  readonly deadLetterKey: string | null;
  readonly strategy: string | null;
  readonly overflow: string | null;
  readonly ttlMs: number | null;
  readonly expiresMs: number | null;
  readonly maxLength: number | null;
  readonly maxBytes: number | null;
  readonly deliveryLimit: number | null;
  /** A policy is in force whose content may not be seen. */
  readonly isPartly: boolean;
}

export function settingsOf(queue: QueueFacts, { policies }: Pick<BrokerFacts, "policies">): QueueSettings {
  const policy = queue.effective ?? (queue.policy === null ? {} : policies?.get(queue.policy)?.definition);
  const both = (key: string) => ({ argument: queue.arguments[`x-${key}`], policy: policy?.[key] });
  const least = (key: string) => lower(numbersOf(both(key)));
  return {
    deadLetterExchange: firstText(both("dead-letter-exchange"), "argument"),
    deadLetterKey: firstText(both("dead-letter-routing-key"), "argument"),
    strategy: firstText(both("dead-letter-strategy"), "policy"),
    overflow: firstText(both("overflow"), "policy"),
    ttlMs: least("message-ttl"),
    expiresMs: least("expires"),
    maxLength: least("max-length"),
    maxBytes: least("max-length-bytes"),
    deliveryLimit: deliveryLimitOf(numbersOf(both("delivery-limit"))),
    isPartly: policy === undefined,
  };
}

interface Both {
  readonly argument: unknown;
  readonly policy: unknown;
}

/** Where text is given twice, RabbitMQ goes by the argument for some settings and by the policy for others. */
function firstText(given: Both, winner: keyof Both): string | null {
  const order = winner === "argument" ? [given.argument, given.policy] : [given.policy, given.argument];
  return order.find((value) => typeof value === "string") ?? null;
}

function numbersOf({ argument, policy }: Both): number[] {
  return [argument, policy].filter((value) => typeof value === "number");
}

function lower(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.min(...values);
}

/** Below zero is without limit, and then the other one holds. */
function deliveryLimitOf(values: readonly number[]): number | null {
  return values.some((value) => value < 0) ? Math.max(...values) : lower(values);
}
