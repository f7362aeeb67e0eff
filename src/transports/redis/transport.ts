import type { ConnectionOptions } from "node:tls";
import type { Host } from "../../domain/clock.ts";
import { requireNumber, requireOneOf, requireOption, withDefaults } from "../../domain/options.ts";
import { ordinaryReplies } from "../ordinary-replies.ts";
import { pullTransport, pullTransportDefaults } from "../pull-transport.ts";
import type { Capabilities, Shortcomings, Transport } from "../transport.ts";
import { RedisConnection } from "./connection.ts";
import { RedisLink } from "./link.ts";

export interface RedisTransportOptions {
  /** Where Redis is: `redis://user:password@host:port/0`, or `rediss://` for TLS. */
  readonly url: string;
  /** Certificates and the like, as Node's `tls.connect` takes them; null for none. @default null */
  readonly tls?: ConnectionOptions | null;
  /** The group that reads a stream for which none is named, as in `queue: "orders"`. @default "dlo" */
  readonly group?: string;
  /** Where a group begins that is not there yet. "latest" passes over what is in the stream. @default "earliest" */
  readonly startFrom?: "earliest" | "latest";
  /**
   * What becomes of acknowledged entries. "delete": they go from the stream if no other group reads it, which is then a
   * queue; a stream that several groups read is left alone. "keep": they stay, and trimming is up to you; needed where
   * somebody reads the stream without a group. @default "delete"
   */
  readonly acknowledged?: "delete" | "keep";
  /**
   * After how long an entry is taken over that a consumer of another library has read in our group and not acknowledged,
   * in milliseconds. Too short, and one that is still at work does it twice. @default 300_000
   */
  readonly adoptAfterMs?: number;
  /**
   * How often an empty queue is asked again, in milliseconds, where neither a new entry nor a due time comes earlier: by
   * then the messages of a consumer that died are found. @default 1_000
   */
  readonly pollMs?: number;
  /**
   * How long Redis may take to answer, in milliseconds; after that the answer is unknown and the question is repeated.
   * @default 10_000
   */
  readonly answerWithinMs?: number;
  /**
   * The largest message it takes from senders: body, headers, key and properties together, in bytes; the headers that
   * retries and dead letters add come on top. @default 67_108_864
   */
  readonly maxMessageBytes?: number;
  /** How its connections are called in `CLIENT LIST`. @default "dead-letter-office" */
  readonly name?: string;
  /** Clock, dice and ids. Leases and due times go by Redis's own clock all the same. @default the host's */
  readonly host?: Host;
}

type Settings = Omit<RedisTransportOptions, "url">;

export const redisTransportDefaults: Required<Settings> = {
  tls: null,
  group: "dlo",
  startFrom: "earliest",
  acknowledged: "delete",
  adoptAfterMs: 300_000,
  pollMs: pullTransportDefaults.pollMs,
  answerWithinMs: pullTransportDefaults.answerWithinMs,
  maxMessageBytes: 67_108_864,
  name: "dead-letter-office",
  host: pullTransportDefaults.host,
};

export const redisCapabilities: Capabilities = {
  atomicOnward: true,
  order: false,
  holdsBack: false,
  deliveryCount: true,
  lease: true,
  typedHeaders: true,
  repeatedHeaders: true,
  replyAddresses: false,
};

const shared = "the consumers of a group share one stream, whatever the key";

export const redisShortcomings: Shortcomings = { ...ordinaryReplies, order: shared, holdsBack: shared };

/** A value may have 512 MB. Our own headers, which come on top of a message, fit in the rest. */
const mostMessageBytes = 503_316_480;

/**
 * Redis, from version 6.2 on, by its streams. A queue is a stream and the group that reads it:
 * `{ name: "orders", group: "billing" }`. Needs the package `ioredis`.
 */
export function redisTransport({ url, ...options }: RedisTransportOptions): Transport {
  const settings = withDefaults<Settings>(redisTransportDefaults, options);
  requireSettings(url, settings);
  const { pollMs, answerWithinMs, host } = settings;
  const tuning = { pollMs, answerWithinMs, host };
  return pullTransport(redisLink(url, settings), { ...asRedis, ...tuning });
}

/** What it is called and says of itself. */
export const asRedis = {
  broker: "redis",
  capabilities: redisCapabilities,
  shortcomings: redisShortcomings,
} as const;

export function redisLink(url: string, settings: Required<Settings>): RedisLink {
  const { tls, name, host, answerWithinMs, group, startFrom, acknowledged, adoptAfterMs, maxMessageBytes } = settings;
  const connection = new RedisConnection({ url, tls, name, silenceMs: answerWithinMs, random: host.random });
  const clean = acknowledged === "delete";
  return new RedisLink({ connection, clock: host.clock, group, startFrom, clean, adoptAfterMs, maxMessageBytes });
}

function requireSettings(url: unknown, settings: Required<Settings>): void {
  const { group, startFrom, acknowledged, adoptAfterMs, maxMessageBytes, name } = settings;
  requireOption(isRedisUrl(url), "url", "an address like redis://127.0.0.1:6379");
  requireOption(typeof group === "string" && group !== "", "group", "a group's name", group);
  requireOption(typeof name === "string" && !/[\s\0]/u.test(name), "name", "text without spaces", name);
  requireOneOf("startFrom", startFrom, ["earliest", "latest"]);
  requireOneOf("acknowledged", acknowledged, ["delete", "keep"]);
  requireNumber("answerWithinMs", settings.answerWithinMs, { min: 1 });
  requireNumber("adoptAfterMs", adoptAfterMs, { min: 1, integer: true });
  requireNumber("maxMessageBytes", maxMessageBytes, { min: 1, max: mostMessageBytes, integer: true });
}

/** The address itself is not shown: it may hold a password. */
function isRedisUrl(url: unknown): boolean {
  return typeof url === "string" && /^rediss?:$/u.test(URL.parse(url)?.protocol ?? "");
}
