import { queueNames } from "../../domain/wire.ts";
import type { Remedies } from "../../wiring/finding.ts";
import { isOursAside, soundsDead } from "../../wiring/names.ts";
import { wiringOf } from "../../wiring/roles.ts";
import type { WiredQueue } from "../../wiring/wiring.ts";
import type { BrokerFacts, QueueFacts, Settings } from "./broker-facts.ts";
import { exactly, inUrl, jsonArgument, quoted } from "./pasteable.ts";
import { settingsOf } from "./queue-settings.ts";
import { keysByQueue } from "./rabbitmq-wiring.ts";

/** Commands to paste: `rabbitmqctl` for policies, the management API for queues, exchanges and bindings. */
export function rabbitmqRemedies(facts: BrokerFacts, management: string): Remedies {
  const shop: Shop = { facts, management, queues: new Map(facts.queues.map((queue) => [queue.name, queue])) };
  return {
    "queue.no_dead_letters": (queue) => giveDeadLetters(queue, shop),
    "delivery_limit.drops": (queue) =>
      soundsDead(queue.name) || isOursAside(queue.name) ? liftLimit(queue, shop) : giveDeadLetters(queue, shop),
    "delivery_limit.default": (queue) => setPolicy(queue, { "delivery-limit": -1 }, shop),
    "dead_letters.unsure": (queue) => (isQuorum(queue, shop) ? setPolicy(queue, sureHandOver, shop) : makeAnew),
    "dead_letters.target_missing": (queue) => makeTarget(queue, shop),
    "destination.next_death_lost": (queue) => bindOwnName(queue, shop),
    "letters.retention": (queue) => lift(queue, ["message-ttl"], shop),
    "letters.expiring": (queue) => lift(queue, ["message-ttl"], shop),
    "letters.queue_expires": (queue) => lift(queue, ["expires"], shop),
    "letters.overflow": (queue) => lift(queue, ["max-length", "max-length-bytes"], shop),
  };
}

interface Shop {
  readonly facts: BrokerFacts;
  /** Without name and password. */
  readonly management: string;
  readonly queues: ReadonlyMap<string, QueueFacts>;
}

/** Both are needed: without the second RabbitMQ falls back to at-most-once, and says so only in its log. */
const sureHandOver = { "dead-letter-strategy": "at-least-once", overflow: "reject-publish" };

const makeAnew =
  "Only quorum queues can do better: make it anew with x-queue-type quorum, x-dead-letter-strategy at-least-once and x-overflow reject-publish.";

function isQuorum({ name }: WiredQueue, { queues }: Shop): boolean {
  return queues.get(name)?.type === "quorum";
}

function giveDeadLetters(queue: WiredQueue, shop: Shop): string {
  const letters = queueNames.deadLetters(queue.name);
  const target = { "dead-letter-exchange": "", "dead-letter-routing-key": letters };
  const policy = setPolicy(queue, isQuorum(queue, shop) ? { ...target, ...sureHandOver } : target, shop);
  return shop.queues.has(letters) ? policy : `${makeQueue(letters, shop)}\n${policy}`;
}

/** Beyond this, nobody would paste them. */
const mostBound = 5;

/** Whatever is missing of exchange, queue and binding. */
function makeTarget(queue: WiredQueue, shop: Shop): string {
  const { exchange, key } = deadLetteringOf(queue, shop);
  if (exchange === "") return makeQueue(key ?? queue.name, shop);
  const letters = queueNames.deadLetters(queue.name);
  const keys = key === null ? (keysByQueue(shop.facts).get(queue.name) ?? []) : [key];
  const steps = [
    shop.facts.exchanges.has(exchange)
      ? []
      : put(`exchanges/${inUrl(shop.facts.vhost)}/${inUrl(exchange)}`, { type: "fanout", durable: true }, shop),
    shop.queues.has(letters) ? [] : makeQueue(letters, shop),
    keys.slice(0, mostBound).map((each) => bind(exchange, letters, each ?? "#", shop)),
  ];
  return steps.flat().join("\n");
}

function bindOwnName(queue: WiredQueue, shop: Shop): string {
  const [target = queueNames.deadLetters(queue.name)] = wiringOf(queue)?.targets ?? [];
  return bind(deadLetteringOf(queue, shop).exchange, target, queue.name, shop);
}

function liftLimit(queue: WiredQueue, shop: Shop): string {
  return queue.deliveryLimit?.isDefault
    ? setPolicy(queue, { "delivery-limit": -1 }, shop)
    : lift(queue, ["delivery-limit"], shop);
}

/** What an argument says cannot be changed; what a policy says can. */
function lift({ name }: WiredQueue, settings: readonly string[], { queues, facts }: Shop): string {
  const queue = queues.get(name);
  const argument = settings.map((setting) => `x-${setting}`).find((key) => queue?.arguments[key] !== undefined);
  if (argument !== undefined) return `${argument} was given when the queue was made: make it anew without.`;
  const policy = queue?.policy ?? null;
  if (policy === null)
    return `An operator policy sets ${settings.join(" or ")}: rabbitmqctl list_operator_policies -p ${quoted(facts.vhost)}`;
  return `The policy ${quoted(policy)} sets it: take ${settings.join(" and ")} out, or exclude this queue from its pattern.`;
}

/** A queue goes by one policy only, so what its present one says comes along. */
function setPolicy({ name }: WiredQueue, added: Settings, { queues, facts }: Shop): string {
  const present = facts.policies?.get(queues.get(name)?.policy ?? "");
  const definition = jsonArgument({ ...present?.definition, ...added });
  const priority = present === undefined ? "" : ` --priority ${present.priority + 1}`;
  const policy = `dlo-${name.replaceAll(/[^A-Za-z0-9._-]/g, "-")}`;
  return `rabbitmqctl set_policy -p ${quoted(facts.vhost)} --apply-to queues${priority} ${policy} '${exactly(name)}' ${definition}`;
}

function makeQueue(name: string, shop: Shop): string {
  return put(
    `queues/${inUrl(shop.facts.vhost)}/${inUrl(name)}`,
    { durable: true, arguments: { "x-queue-type": "quorum" } },
    shop,
  );
}

function bind(exchange: string, queue: string, key: string, shop: Shop): string {
  const path = `bindings/${inUrl(shop.facts.vhost)}/e/${inUrl(exchange)}/q/${inUrl(queue)}`;
  return call("POST", path, { routing_key: key }, shop);
}

function put(path: string, body: Settings, shop: Shop): string {
  return call("PUT", path, body, shop);
}

function call(method: string, path: string, body: Settings, { management, facts }: Shop): string {
  return `curl -u ${quoted(facts.user)} -X ${method} -H content-type:application/json ${quoted(`${management}/api/${path}`)} -d ${jsonArgument(body)}`;
}

function deadLetteringOf({ name }: WiredQueue, { queues, facts }: Shop): { exchange: string; key: string | null } {
  const queue = queues.get(name);
  const settings = queue === undefined ? undefined : settingsOf(queue, facts);
  return { exchange: settings?.deadLetterExchange ?? "", key: settings?.deadLetterKey ?? null };
}
