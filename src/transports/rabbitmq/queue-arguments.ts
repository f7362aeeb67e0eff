import { queueNames } from "../../domain/wire.ts";
import type { DelayBucket } from "./delay-buckets.ts";
import type { ServerRules } from "./server-version.ts";

export type QueueArguments = Readonly<Record<string, string | number | boolean>>;

/**
 * Replicated, and its dead letters are handed over only once their queue has them. That needs `reject-publish`: without
 * it RabbitMQ falls back to handing over at most once, and says so only in its log.
 */
function handingOverTo(queue: string): QueueArguments {
  return {
    "x-queue-type": "quorum",
    "x-dead-letter-exchange": "",
    "x-dead-letter-routing-key": queue,
    "x-dead-letter-strategy": "at-least-once",
    "x-overflow": "reject-publish",
  };
}

/** A queue to work on. What the broker itself gives up (expired, rejected by others) goes to its dead-letter queue. */
export function workQueueArguments(
  name: string,
  { unlimitedDeliveries }: ServerRules,
  ordered: boolean,
): QueueArguments {
  const order = ordered ? { "x-single-active-consumer": true } : {};
  return { ...handingOverTo(queueNames.deadLetters(name)), ...unlimitedDeliveries, ...order };
}

/** A queue where messages stay until a person or another program decides. */
export function lastQueueArguments({ unlimitedDeliveries }: ServerRules): QueueArguments {
  return { "x-queue-type": "quorum", ...unlimitedDeliveries };
}

/** A queue where messages wait. One that is made on demand goes away by itself, with everything that is still in it. */
export function bucketArguments({ queue, delayMs, idleMs }: DelayBucket): QueueArguments {
  const expiry = idleMs === null ? {} : { "x-expires": delayMs + idleMs };
  return { ...handingOverTo(queue), "x-message-ttl": delayMs, ...expiry };
}

/** Whether messages stay there for good: such a queue has no dead-letter queue of its own. */
export function isLastQueue(name: string): boolean {
  return (
    name === queueNames.reports ||
    name.endsWith(queueNames.deadLetters("")) ||
    name.endsWith(queueNames.parked("")) ||
    name.endsWith(queueNames.probes("")) ||
    name.includes(queueNames.quarantine("", ""))
  );
}
