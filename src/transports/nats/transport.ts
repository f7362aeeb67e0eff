import type { TlsOptions } from "@nats-io/transport-node";
import type { Host } from "../../domain/clock.ts";
import { requireNumber, requireOneOf, requireOption, withDefaults } from "../../domain/options.ts";
import { ordinaryReplies } from "../ordinary-replies.ts";
import { pullTransport, pullTransportDefaults } from "../pull-transport.ts";
import type { Capabilities, Shortcomings, Transport } from "../transport.ts";
import { parseNatsAddress } from "./address.ts";
import { NatsConnection } from "./connection.ts";
import { NatsLink } from "./link.ts";
import { wordOf } from "./names.ts";
import { Topology } from "./topology.ts";

export interface NatsTransportOptions {
  /**
   * Where NATS is: `nats://user:password@host:4222`, `nats://token@host:4222`, or `tls://` for TLS; several servers of a
   * cluster with commas between them. Files of certificates and credentials can be named behind the first:
   * `tls://host:4222?ca=ca.pem&cert=client.pem&key=client.key&credentials=user.creds`.
   */
  readonly url: string;
  /** Certificates and the like, as the client takes them; null for none. @default null */
  readonly tls?: TlsOptions | null;
  /** The text of a credentials file (`.creds`), instead of a user in `url`; null for none. @default null */
  readonly credentials?: string | null;
  /** The group that reads a subject for which none is named, as in `queue: "orders"`. @default "dlo" */
  readonly group?: string;
  /** Where a group begins that is not there yet. "latest" passes over what is in the stream. @default "earliest" */
  readonly startFrom?: "earliest" | "latest";
  /**
   * "make": a stream is made for a subject that none has, from which goes what is acknowledged. "check": that is refused
   * with QUEUE_NOT_FOUND. The stream `stream` and consumers are made in either case. @default "make"
   */
  readonly topology?: "make" | "check";
  /** The stream for what comes again, waits, was parked or died; made if it is not there. @default "DLO" */
  readonly stream?: string;
  /** How many servers keep each stream that is made, in a cluster: 1, 3 or 5. @default 1 */
  readonly replicas?: number;
  /**
   * How long the server waits for news of a message before it gives it to another consumer, in milliseconds; of consumers
   * that are made. So long a message stays with a process that died. @default 60_000
   */
  readonly ackWaitMs?: number;
  /**
   * "single": acknowledgements are sent, and one that is lost with its connection makes a duplicate. "double": the server
   * confirms each, which takes a round trip. @default "single"
   */
  readonly acknowledge?: "single" | "double";
  /**
   * How often an empty queue is asked again, in milliseconds, where neither a new message nor a due time comes earlier: by
   * then what other processes sent again is found. @default 1_000
   */
  readonly pollMs?: number;
  /**
   * How long NATS may take to answer, in milliseconds; after that the answer is unknown and the question is repeated.
   * @default 10_000
   */
  readonly answerWithinMs?: number;
  /** How its connection is called in the server's lists. @default "dead-letter-office" */
  readonly name?: string;
  /** Clock, dice and ids. @default the host's */
  readonly host?: Host;
}

type Settings = Omit<NatsTransportOptions, "url">;

export const natsTransportDefaults: Required<Settings> = {
  tls: null,
  credentials: null,
  group: "dlo",
  startFrom: "earliest",
  topology: "make",
  stream: "DLO",
  replicas: 1,
  ackWaitMs: 60_000,
  acknowledge: "single",
  pollMs: pullTransportDefaults.pollMs,
  answerWithinMs: pullTransportDefaults.answerWithinMs,
  name: "dead-letter-office",
  host: pullTransportDefaults.host,
};

export const natsCapabilities: Capabilities = {
  atomicOnward: false,
  order: false,
  holdsBack: false,
  deliveryCount: true,
  lease: true,
  typedHeaders: true,
  repeatedHeaders: true,
  replyAddresses: false,
};

const shared = "the consumers of a group share what its durable consumer gives out, whatever the key";

export const natsShortcomings: Shortcomings = {
  ...ordinaryReplies,
  atomicOnward: "a stream takes a message, another is acknowledged: two steps, in that order",
  order: shared,
  holdsBack: shared,
};

/**
 * NATS with JetStream, from version 2.9 on. A queue is a subject and the group that reads it, which is a durable pull
 * consumer: `{ name: "orders.paid", group: "billing" }`. Needs the packages `@nats-io/transport-node` and
 * `@nats-io/jetstream`.
 */
export function natsTransport({ url, ...options }: NatsTransportOptions): Transport {
  const settings = withDefaults<Settings>(natsTransportDefaults, options);
  requireSettings(url, settings);
  const { pollMs, answerWithinMs, host } = settings;
  return pullTransport(natsLink(url, settings), { ...asNats, pollMs, answerWithinMs, host });
}

/** What it is called and says of itself. */
export const asNats = {
  broker: "nats",
  capabilities: natsCapabilities,
  shortcomings: natsShortcomings,
} as const;

export function natsLink(url: string, settings: Required<Settings>): NatsLink {
  const { tls, credentials, name, answerWithinMs, host, pollMs, group, stream, replicas } = settings;
  const { ackWaitMs, startFrom, acknowledge, topology: policy } = settings;
  const connection = new NatsConnection({ url, tls, credentials, name, answerWithinMs });
  const makes = policy === "make";
  const topology = new Topology({ connection, group, stream, replicas, ackWaitMs, startFrom, makes });
  const isDouble = acknowledge === "double";
  return new NatsLink({ connection, topology, clock: host.clock, lookEveryMs: pollMs, isDouble });
}

function requireSettings(url: unknown, settings: Required<Settings>): void {
  const { credentials, group, stream, name } = settings;
  parseNatsAddress(url);
  requireOption(
    credentials === null || typeof credentials === "string",
    "credentials",
    "the text of a credentials file",
  );
  requireOption(typeof group === "string" && group !== "", "group", "a group's name", group);
  requireOption(
    typeof stream === "string" && wordOf(stream) === stream,
    "stream",
    "letters, digits and dashes",
    stream,
  );
  requireOption(typeof name === "string", "name", "text", name);
  requireOneOf("startFrom", settings.startFrom, ["earliest", "latest"]);
  requireOneOf("topology", settings.topology, ["make", "check"]);
  requireOneOf("acknowledge", settings.acknowledge, ["single", "double"]);
  requireNumber("replicas", settings.replicas, { min: 1, max: 5, integer: true });
  requireNumber("ackWaitMs", settings.ackWaitMs, { min: 100 });
  requireNumber("answerWithinMs", settings.answerWithinMs, { min: 1 });
}
