import type { ConnectionOptions } from "node:tls";
import type { Host } from "../../domain/clock.ts";
import { requireNumber, requireOneOf, requireOption, withDefaults } from "../../domain/options.ts";
import { systemHost } from "../../system/host.ts";
import type { TopologyMode } from "./topology.ts";

export interface RabbitmqTransportOptions {
  /**
   * Where RabbitMQ is: `amqp://user:password@host:port/vhost`, or `amqps://` for TLS. Several are the nodes of one
   * cluster, tried in turn, with the same user.
   */
  readonly url: string | readonly string[];
  /**
   * What to do about queues. "make": whatever is missing is made, as a quorum queue with a dead-letter queue; existing
   * ones are used as they are. "check": what is missing is refused before anything is sent or taken. "leave": nothing
   * is asked; a message for a queue that does not exist is refused. @default "make"
   */
  readonly topology?: TopologyMode;
  /**
   * Queues to be made with a single active consumer, which `order: "key"` needs and which cannot be changed later. A
   * consumer with that order makes its queue so by itself; name it here where messages may be sent to it before.
   * @default []
   */
  readonly orderedQueues?: readonly string[] | "all";
  /**
   * The delays there are queues for, in milliseconds, shortest first: `<queue>.retry.10s` and so on. Others are rounded up
   * to the next; retries that should wait for longer than the last wait as long as that. Null: about a hundred, at most a
   * quarter apart, made anew every half day they are needed, and gone a day after. @default null
   */
  readonly delaysMs?: readonly number[] | null;
  /**
   * How handled messages are acknowledged, once a turn of the event loop. "coalesced": all that are finished in a row with
   * one word. "each": with a word for each, which costs the broker more. @default "coalesced"
   */
  readonly acknowledge?: "coalesced" | "each";
  /**
   * How long the broker may take to answer, in milliseconds; after that the answer is unknown. Too short, and a busy
   * broker does everything twice. @default 10_000
   */
  readonly answerWithinMs?: number;
  /**
   * How long a message waits to be sent while the broker is short of memory or disk and takes none, in milliseconds. What
   * a consumer has to send on is tried again after that, for as long as it takes. @default 60_000
   */
  readonly blockedWithinMs?: number;
  /**
   * How often both sides show that they live, in milliseconds; a connection that is silent for twice that is given up.
   * Whole seconds; too short, and a process that computes for long is taken for dead. @default 10_000
   */
  readonly heartbeatMs?: number;
  /** How its connections are called in RabbitMQ's own overview. @default "dead-letter-office" */
  readonly name?: string;
  /** Certificates and the like for `amqps://`, as Node's `tls.connect` takes them. @default {} */
  readonly tls?: ConnectionOptions;
  /** Clock, dice and ids. @default the host's own */
  readonly host?: Host;
}

type Tuning = Omit<RabbitmqTransportOptions, "url">;

export const rabbitmqTransportDefaults: Required<Tuning> = {
  topology: "make",
  orderedQueues: [],
  delaysMs: null,
  acknowledge: "coalesced",
  answerWithinMs: 10_000,
  blockedWithinMs: 60_000,
  heartbeatMs: 10_000,
  name: "dead-letter-office",
  tls: {},
  host: systemHost,
};

export interface RabbitmqSettings extends Required<Tuning> {
  readonly urls: readonly string[];
  /** Whom the broker knows us as. */
  readonly user: string;
}

/** Checks the options once, when the transport is made. */
export function readRabbitmqOptions({ url, ...tuning }: RabbitmqTransportOptions): RabbitmqSettings {
  const settings = withDefaults<Tuning>(rabbitmqTransportDefaults, tuning);
  requireOneOf("topology", settings.topology, ["make", "check", "leave"]);
  requireOneOf("acknowledge", settings.acknowledge, ["coalesced", "each"]);
  requireNumber("answerWithinMs", settings.answerWithinMs, { min: 1 });
  requireNumber("blockedWithinMs", settings.blockedWithinMs, { min: 1 });
  requireNumber("heartbeatMs", settings.heartbeatMs, { min: 1_000, max: 3_600_000 });
  requireOption(settings.name !== "", "name", "a name", settings.name);
  requireQueueNames(settings.orderedQueues);
  if (settings.delaysMs !== null) requireDelays(settings.delaysMs);
  const urls = readUrls(url);
  return { ...settings, urls, user: userOf(urls[0] as string) };
}

function readUrls(url: string | readonly string[]): readonly string[] {
  const urls = typeof url === "string" ? [url] : (url ?? []);
  // The value is not shown: it has a password in it.
  requireOption(urls.length > 0 && urls.every(isAmqp), "url", "amqp://… or amqps://…, or a list of them");
  return urls;
}

function isAmqp(url: string): boolean {
  return URL.canParse(url) && ["amqp:", "amqps:"].includes(new URL(url).protocol);
}

function userOf(url: string): string {
  return decodeURIComponent(new URL(url).username) || "guest";
}

function requireQueueNames(names: readonly string[] | "all"): void {
  const fits = names === "all" || (Array.isArray(names) && names.every((name) => typeof name === "string"));
  requireOption(fits, "orderedQueues", 'a list of queues, or "all"', names);
}

function requireDelays(delays: readonly number[]): void {
  requireOption(Array.isArray(delays) && delays.length > 0, "delaysMs", "a list of at least one delay", delays);
  for (const delay of delays) requireNumber("delaysMs", delay, { min: 1, max: 40 * 86_400_000, integer: true });
  const rises = delays.every((delay, index) => index === 0 || delay > (delays[index - 1] as number));
  requireOption(rises, "delaysMs", "shortest first, each once", delays.join(", "));
}
