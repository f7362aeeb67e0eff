import { inspectSource } from "../doctor/inspect-source.ts";
import { pause } from "../domain/clock.ts";
import type { ReplayVia } from "../domain/dead-letter.ts";
import { isOfficeError } from "../domain/errors.ts";
import { headerText } from "../domain/message.ts";
import { queueNames, wire } from "../domain/wire.ts";
import type { Inspection } from "../inspectors/inspector.ts";
import { managementOf } from "../inspectors/rabbitmq/inspect-rabbitmq.ts";
import { routingRabbitmqTransport } from "../transports/rabbitmq/transport.ts";
import { sourceOf } from "../wiring/names.ts";
import type { Routes, WiredQueue, Wiring } from "../wiring/wiring.ts";
import { hostIn, whatWentWrong } from "./ask-broker.ts";
import type { OpenedSource, OpenParts } from "./opened-source.ts";
import { noPeek } from "./peek.ts";
import type { QueueCondition } from "./queue-condition.ts";
import { plainLine } from "./send-line.ts";

/** RabbitMQ counts what is in its queues every five seconds: a number younger than two of those may be an old one. */
const countedWithinMs = 11_000;
const lookWithinMs = 10_000;
/** Letters of one window are looked at one after the other, each with a route of its own: one look serves them. */
const lookServesMs = 500;

export async function openRabbitmq(parts: OpenParts): Promise<OpenedSource> {
  const { url, clock } = parts;
  const transport = routingRabbitmqTransport({ url, topology: "check", name: "dlo office" });
  const broker = brokerItself(parts, () => transport.findBroker());
  const inspect = served(clock, () => broker.unlessAway(inspectionOf(parts)));
  return {
    transport,
    group: null,
    addressOf: async (queue) => ({ name: queue }),
    line: () =>
      plainLine((name, message, { via = null, back = false }) => {
        if (back) return transport.sendBack({ name }, message);
        // Sent once more, since nobody heard the end of it, a letter of a replay is the same message.
        const sendId = headerText(message.headers, wire.replay) ?? null;
        if (via !== null)
          return transport.sendVia({ exchange: via.exchange, key: via.routingKey }, message, { sendId });
        return transport.send({ name }, message, { onward: true, sendId });
      }),
    seenThrough: async () => (broker.isThere() ? managementHost(parts) : hostIn(url)),
    async look(queue, via) {
      const { seen, why } = await inspect();
      return { ...conditionOf(queue, via, seen), ...(why === null ? {} : { unseenBecause: why }) };
    },
    async reachedBy({ exchange, routingKey }) {
      const { seen, why } = await inspect();
      return why === null ? (seen?.routes?.reachedBy(exchange, routingKey) ?? null) : { unseenBecause: why };
    },
    async watch(queue) {
      const beganAt = clock.now();
      return async () => {
        await pause(clock, Math.max(0, beganAt + countedWithinMs - clock.now()));
        return queueIn((await inspectionOf(parts)).seen?.wiring, queue)?.depth === 0;
      };
    },
    async countBeside(queue) {
      const now = (await inspectionOf(parts)).seen?.wiring;
      if (now !== undefined && queuesBeside(queue, now).length === 0) return 0;
      // What has left the queue by now may not be in any of their numbers yet.
      await pause(clock, countedWithinMs);
      return depthBeside(queue, (await inspectionOf(parts)).seen?.wiring);
    },
    peek: noPeek(
      "RabbitMQ shows a message only by handing it out: put back it is marked redelivered, and its delivery counts.",
      "Drain the queue (`dlo drain`), or let the management UI get from it if that may be.",
    ),
    close: () => transport.close(),
  };
}

/** Asks at most once in that time, whoever asks. */
function served<Answer>(clock: OpenParts["clock"], ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: { readonly at: number; readonly answer: Promise<Answer> } | null = null;
  return () => {
    const now = clock.now();
    if (last === null || now - last.at >= lookServesMs) last = { at: now, answer: ask() };
    return last.answer;
  };
}

interface BrokerItself {
  /** It answered when it was asked last. */
  isThere(): boolean;
  /** What its management API shows; rejects where neither of the two answers. */
  unlessAway(looking: Promise<Sight>): Promise<Sight>;
}

/** The management API is given so long to answer before the broker itself is asked whether it is there. */
const promptMs = 1_000;

/**
 * Whoever reads that the management API is away looks in the wrong place while the whole broker is. A page does not wait until the
 * management API is given up: the broker is asked meanwhile.
 */
function brokerItself({ clock }: OpenParts, find: () => Promise<void>): BrokerItself {
  let isThere = false;
  const ask = async () => {
    isThere = false;
    await find();
    isThere = true;
  };
  return {
    isThere: () => isThere,
    async unlessAway(looking) {
      const waiting = new AbortController();
      const prompt = await Promise.race([looking, pause(clock, promptMs, waiting.signal)]);
      waiting.abort();
      if (prompt?.why === null) return prompt;
      const asking = ask();
      // Of no interest where the management API shows all there is to see.
      asking.catch(() => {});
      const sight = await looking;
      if (sight.why !== null) await asking;
      return sight;
    },
  };
}

type Sight =
  | { readonly seen: Inspection; readonly why: null }
  /** The management API does not answer: then only what AMQP itself says is known. */
  | { readonly seen: null; readonly why: string };

async function inspectionOf(parts: OpenParts): Promise<Sight> {
  const { source, origin, clock } = parts;
  const { signal } = new AbortController();
  try {
    return { seen: await inspectSource(source, { origin, clock, signal, limitMs: lookWithinMs }), why: null };
  } catch (error) {
    if (!isOfficeError(error)) throw error;
    return { seen: null, why: `${await managementHost(parts)} ${whatWentWrong(error) ?? "could not be asked"}` };
  }
}

/** Where consumers of ours put what they did not finish. */
function queuesBeside(queue: string, { queues }: Wiring): readonly WiredQueue[] {
  const isBeside = (name: string) => name === queueNames.parked(queue) || name.startsWith(queueNames.retry(queue, ""));
  return queues.filter(({ name }) => isBeside(name));
}

/** Null where one of them does not say how much is in it. */
export function depthBeside(queue: string, wiring: Wiring | undefined): number | null {
  if (wiring === undefined) return null;
  const depths = queuesBeside(queue, wiring).map(({ depth }) => depth);
  return depths.reduce<number | null>((sum, depth) => (sum === null || depth === null ? null : sum + depth), 0);
}

async function managementHost({ source, url, origin }: OpenParts): Promise<string> {
  const management = await source.management?.resolve(origin);
  return hostIn(managementOf({ url, ...(management === undefined ? {} : { management }) }));
}

function queueIn(wiring: Wiring | undefined, name: string): WiredQueue | undefined {
  return wiring?.queues.find((queue) => queue.name === name);
}

/** Pure. `asked` is the route it took before, as far as its letter says. */
export function conditionOf(
  name: string,
  asked: ReplayVia | null,
  seen: Pick<Inspection, "wiring" | "routes"> | null,
): QueueCondition {
  const queue = queueIn(seen?.wiring, name);
  const condition = { address: seen === null || queue !== undefined ? { name } : null, otherGroups: [] };
  if (seen === null || queue === undefined)
    return { ...condition, isUnseen: seen === null, via: null, keepsNextDeath: null, keepsOrder: null, lag: null };
  const keeps = (key: string) => keepsNextDeath(queue, key, seen);
  const via = asked !== null && leadsThereOnly(asked, name, seen.routes) ? asked : null;
  // The key it comes with is the key it dies with: whichever way a second death would be kept is the way to go.
  const isLost = via !== null && keeps(via.routingKey) !== true && keeps(name) === true;
  const way = isLost ? null : via;
  const keepsOrder = queue.isOneAtATime === true ? "always" : "never";
  return { ...condition, via: way, keepsNextDeath: keeps(way?.routingKey ?? name), keepsOrder, lag: queue.depth };
}

/** With other queues bound there, each of them would get what only one failed to process. */
function leadsThereOnly({ exchange, routingKey }: ReplayVia, queue: string, routes: Routes | undefined): boolean {
  const reached = exchange === "" ? null : (routes?.reachedBy(exchange, routingKey) ?? null);
  return reached?.length === 1 && reached[0] === queue;
}

/** A queue without an exchange for its dead letters may have consumers that send them on themselves, as our runtime does. */
function keepsNextDeath(
  { name, deadLettering }: WiredQueue,
  key: string,
  { wiring: { queues }, routes }: Pick<Inspection, "wiring" | "routes">,
): boolean | null {
  if (deadLettering === "unseen") return null;
  if (deadLettering === null) return queues.some((queue) => sourceOf(queue.name) === name);
  const reached = routes === undefined ? deadLettering.targetsAfterReplay : routes.reachedByDeath(name, key);
  return reached === null ? null : reached.length > 0;
}
