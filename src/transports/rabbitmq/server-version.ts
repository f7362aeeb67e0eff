import type { ServerProperties } from "amqplib";
import { requireOption } from "../../domain/options.ts";

/** What differs between versions of RabbitMQ, all of it. */
export interface ServerRules {
  /** In which header a quorum queue counts the deliveries before this one. */
  readonly counter: string;
  /** How a queue is made that never gives a message up, however often it came back. */
  readonly unlimitedDeliveries: Readonly<Record<string, number>>;
}

/** Newest first. Quorum queues have delays, and hand dead letters over safely, since 3.10. */
const versions: readonly { readonly from: readonly [number, number]; readonly rules: ServerRules }[] = [
  // Only failures count towards the limit now; every hand-over counts here.
  { from: [4, 3], rules: { counter: "x-acquired-count", unlimitedDeliveries: { "x-delivery-limit": -1 } } },
  // Left out, the limit is 20.
  { from: [4, 0], rules: { counter: "x-delivery-count", unlimitedDeliveries: { "x-delivery-limit": -1 } } },
  // Left out, there is none; -1 loses the message when it first comes back.
  { from: [3, 10], rules: { counter: "x-delivery-count", unlimitedDeliveries: {} } },
];

/** Whoever does not tell his version gets nothing that an old one could misunderstand. */
const cautious: ServerRules = { counter: "x-delivery-count", unlimitedDeliveries: {} };

/** The rules of a server, by what it says of itself when a connection opens. */
export function serverRules({ version }: Partial<ServerProperties>): ServerRules {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version ?? "") ?? [];
  if (major === undefined || minor === undefined) return cautious;
  const known = versions.find(({ from }) => isAtLeast([Number(major), Number(minor)], from));
  requireOption(known !== undefined, "url", "that of RabbitMQ 3.10 or later", version);
  return known?.rules ?? cautious;
}

function isAtLeast(version: readonly [number, number], from: readonly [number, number]): boolean {
  return version[0] > from[0] || (version[0] === from[0] && version[1] >= from[1]);
}
