import { requireOption } from "../../domain/options.ts";

/** RabbitMQ's own names: it lets no one make a queue that begins like this. */
const reserved = "amq.";
/** The address of a requester that waits without a queue. RabbitMQ makes it up for each, and knows it as long as that stays. */
const direct = "amq.rabbitmq.reply-to.";

/** Whether it is a queue that only RabbitMQ itself can have made. */
export function isReservedName(name: string): boolean {
  return name.startsWith(reserved);
}

/** Whether it leads to a requester and to no queue. A message there counts as one that no queue took, though it arrives. */
export function isDirectReply(name: string): boolean {
  return name.startsWith(direct);
}

/** RabbitMQ looks for a requester only when a message is sent, never when its delay is over: then it would drop it. */
export function requireNoWait(name: string, delayMs: number): void {
  requireOption(delayMs === 0 || !isDirectReply(name), "delayMs", `0 for an answer to ${direct}*`, delayMs);
}
