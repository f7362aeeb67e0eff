import {
  type DeadLettering,
  type DeliveryLimit,
  type Gap,
  type Keeping,
  keepsAll,
  type Routes,
  type WiredQueue,
  type Wiring,
} from "../../wiring/wiring.ts";
import type { BindingFacts, BrokerFacts, QueueFacts } from "./broker-facts.ts";
import { quoted } from "./pasteable.ts";
import { type QueueSettings, settingsOf } from "./queue-settings.ts";
import { type Key, type Routed, type Router, router } from "./routing.ts";

/** What RabbitMQ tells of itself, in the words that all brokers share. Pure. */
export function rabbitmqWiring(facts: BrokerFacts): Wiring {
  const routes = routerOf(facts);
  const inbound = keysByQueue(facts);
  return {
    product: `RabbitMQ ${facts.version}`.trim(),
    queues: facts.queues.map((queue) => wiredQueue(queue, facts, routes, inbound.get(queue.name) ?? [])),
    sees: ["how many messages are in each", "dead-lettering through exchanges, bindings, arguments and policies"],
    blindTo: ["what is in the letters, and how old they are: RabbitMQ tells only whoever takes them"],
    gaps: gapsOf(facts),
  };
}

/** Where messages go, followed through what is bound. Pure. */
export function rabbitmqRoutes(facts: BrokerFacts): Routes {
  const router = routerOf(facts);
  const reachedBy = (exchange: string, key: string) => knownQueues(router.route(exchange, key));
  const settings = new Map(facts.queues.map((queue) => [queue.name, settingsOf(queue, facts)]));
  return {
    reachedBy,
    reachedByDeath(queue, key) {
      const { deadLetterExchange = null, deadLetterKey = null } = settings.get(queue) ?? {};
      return deadLetterExchange === null ? [] : reachedBy(deadLetterExchange, deadLetterKey ?? key);
    },
  };
}

function routerOf({ exchanges, bindings, queues }: BrokerFacts): Router {
  return router(exchanges, bindings, new Set(queues.map(({ name }) => name)));
}

function knownQueues({ queues, isUnsure }: Routed): readonly string[] | null {
  return isUnsure ? null : [...queues];
}

function wiredQueue(queue: QueueFacts, facts: BrokerFacts, routes: Router, keys: readonly Key[]): WiredQueue {
  const settings = settingsOf(queue, facts);
  return {
    name: queue.name,
    depth: queue.messages,
    oldestAgeMs: null,
    isTemporary: queue.isTemporary,
    isOneAtATime: queue.arguments["x-single-active-consumer"] === true,
    deadLettering: deadLetteringOf(queue, settings, facts, routes, keys),
    keeping: keepingOf(queue, settings),
    deliveryLimit: deliveryLimitOf(queue, settings, facts.version),
  };
}

/** What waits in a stream is never given up: there it is the consumers' business. */
function deadLetteringOf(
  queue: QueueFacts,
  settings: QueueSettings,
  facts: BrokerFacts,
  routes: Router,
  keys: readonly Key[],
): WiredQueue["deadLettering"] {
  const { deadLetterExchange: exchange, deadLetterKey: key } = settings;
  if (queue.type === "stream") return "unseen";
  if (exchange === null) return settings.isPartly ? "unseen" : null;
  const onward = key === null ? keys : [key];
  const routed = onward.map((each) => ({ key: each, ...routes.route(exchange, each) }));
  return {
    via: viaOf(exchange, key),
    targets: [...new Set(routed.flatMap(({ queues }) => [...queues]))],
    leaks: facts.exchanges.has(exchange) ? leaksOf(exchange, routed) : [`the exchange \`${exchange}\` does not exist`],
    targetsAfterReplay: knownQueues(routes.route(exchange, key ?? queue.name)),
    unsure: unsureOf(queue, settings),
    afterMs: settings.ttlMs,
    byBroker: true,
  } satisfies DeadLettering;
}

function viaOf(exchange: string, key: string | null): string {
  const through = exchange === "" ? "the default exchange" : `the exchange \`${exchange}\``;
  return key === null ? `${through}, with the key each message has` : `${through}, key \`${key}\``;
}

const mostKeysNamed = 3;

function leaksOf(
  exchange: string,
  routed: readonly { readonly key: Key; readonly queues: ReadonlySet<string> }[],
): string[] {
  const lost = routed.filter(({ queues }) => queues.size === 0).map(({ key }) => key);
  // With the default exchange and any key there is nothing to be known.
  const keys = lost.filter((key) => key !== null);
  if (lost.length > keys.length && exchange !== "") return ["no queue is bound there"];
  if (keys.length === 0) return [];
  if (exchange === "") return keys.slice(0, mostKeysNamed).map((key) => `the queue \`${key}\` does not exist`);
  const named = keys
    .slice(0, mostKeysNamed)
    .map((key) => `\`${key}\``)
    .join(", ");
  const more = keys.length > mostKeysNamed ? ` and ${keys.length - mostKeysNamed} more` : "";
  return [`no queue is bound there for ${keys.length === 1 ? "the key" : "the keys"} ${named}${more}`];
}

function unsureOf({ type }: QueueFacts, { strategy, overflow }: QueueSettings): string | null {
  if (type !== "quorum") return `it is a ${type} queue, which does not wait for the dead-letter queue to have them`;
  if (strategy !== "at-least-once") return "its dead-letter-strategy is at-most-once";
  return overflow === "reject-publish" ? null : "at-least-once falls back to it without the overflow reject-publish";
}

function keepingOf({ type }: QueueFacts, settings: QueueSettings): Keeping {
  const { ttlMs, expiresMs, maxLength, maxBytes, overflow } = settings;
  const limits = [
    maxLength === null ? [] : `${maxLength} messages`,
    maxBytes === null ? [] : `${maxBytes} bytes`,
  ].flat();
  const drops = limits.length > 0 && (overflow === null || overflow === "drop-head") && type !== "stream";
  return { ...keepsAll, retentionMs: ttlMs, expiresMs, dropsBeyond: drops ? limits.join(" or ") : null };
}

/** What a quorum queue's limit is if nobody says so, since 4.0. */
const defaultLimit = 20;

/** A limit of N lets a message be delivered N + 1 times. Below zero is no limit, but to old versions a very low one. */
function deliveryLimitOf(
  { type }: QueueFacts,
  { deliveryLimit }: QueueSettings,
  version: string,
): DeliveryLimit | null {
  if (type !== "quorum") return null;
  const isOld = Number(/^\d+/.exec(version)?.[0] ?? 0) < 4;
  if (deliveryLimit === null) return isOld ? null : { deliveries: defaultLimit + 1, isDefault: true };
  if (deliveryLimit < 0 && !isOld) return null;
  return { deliveries: Math.max(0, deliveryLimit) + 1, isDefault: false };
}

/** With which keys messages come into each queue; null: with any. What nothing else is bound to is sent to by its name. */
export function keysByQueue({ bindings, exchanges, queues }: BrokerFacts): ReadonlyMap<string, readonly Key[]> {
  const keys = new Map<string, Set<Key>>(queues.map(({ name }) => [name, new Set()]));
  for (const binding of bindings) {
    if (binding.toQueue && binding.source !== "") keys.get(binding.destination)?.add(keyThrough(binding, exchanges));
  }
  return new Map([...keys].map(([name, found]) => [name, found.size === 0 ? [name] : [...found]]));
}

function keyThrough({ source, key }: BindingFacts, exchanges: BrokerFacts["exchanges"]): Key {
  const type = exchanges.get(source)?.type;
  if (type === "direct") return key;
  return type === "topic" && !/[*#]/.test(key) ? key : null;
}

function gapsOf({ policies, tags, user, vhost }: BrokerFacts): Gap[] {
  const gaps: Gap[] = [];
  if (policies === null) {
    gaps.push({
      kind: "missing",
      sentence: "Policies cannot be read, so dead-lettering that they set may not be seen.",
      remedy: `rabbitmqctl set_user_tags ${quoted(user)} policymaker`,
    });
  }
  if (tags.includes("administrator")) {
    gaps.push({
      kind: "needless",
      sentence: `The user \`${user}\` is an administrator; to look, the tag management is enough.`,
      remedy: `rabbitmqctl add_user dlo && rabbitmqctl set_user_tags dlo management && rabbitmqctl set_permissions -p ${quoted(vhost)} dlo '' '' ''`,
    });
  }
  return gaps;
}
