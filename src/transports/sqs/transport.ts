import type { BodyStore } from "../../domain/body-store.ts";
import type { Host } from "../../domain/clock.ts";
import { requireNumber, requireOneOf, requireOption, withDefaults } from "../../domain/options.ts";
import { ordinaryReplies } from "../ordinary-replies.ts";
import { pullTransport, pullTransportDefaults } from "../pull-transport.ts";
import type { Capabilities, Shortcomings, Transport } from "../transport.ts";
import { SqsConnection, type SqsCredentials } from "./connection.ts";
import { SqsLink } from "./link.ts";

export interface SqsTransportOptions {
  /** The region of its queues, as `eu-west-1`; null for the one that the environment names. @default null */
  readonly region?: string | null;
  /** Where another server speaks SQS (`http://127.0.0.1:9324`); null for Amazon's own. @default null */
  readonly endpoint?: string | null;
  /** Who we are to AWS; null for what AWS clients find: environment, profile, role. @default null */
  readonly credentials?: SqsCredentials | null;
  /**
   * Whether its queues are FIFO queues, whose messages of a group come in order. The message's key is the group, and names
   * end with `.fifo` at SQS. @default false
   */
  readonly fifo?: boolean;
  /**
   * What to do about queues. "make": whatever is missing is made, with the longest retention there is; existing ones are
   * used as they are. "check": what is missing is refused. @default "make"
   */
  readonly topology?: "make" | "check";
  /**
   * How long SQS waits for a message when it has none, in milliseconds: whole seconds, 20 at most. Longer is cheaper;
   * closing the transport may take as long. @default 10_000
   */
  readonly waitMs?: number;
  /**
   * How long SQS may take to answer, in milliseconds; after that the answer is unknown and the question is repeated.
   * @default 10_000
   */
  readonly answerWithinMs?: number;
  /**
   * The largest message its queues take, in bytes, attributes included: their `MaximumMessageSize`, and 1 MiB at most.
   * @default 1_048_576
   */
  readonly maxMessageBytes?: number;
  /**
   * How many messages this process may keep in flight while they wait for more than 15 minutes; SQS allows a queue 120,000
   * in all. Beyond that they are sent again every 15 minutes. @default 10_000
   */
  readonly maxHidden?: number;
  /**
   * Where bodies go that are too large for SQS, as `s3Bodies({ bucket: "shop-bodies" })`; whoever consumes them needs the same. Null
   * refuses what is too large. @default null
   */
  readonly bodies?: BodyStore | null;
  /** Clock, dice and ids. @default the host's */
  readonly host?: Host;
}

export const sqsTransportDefaults: Required<SqsTransportOptions> = {
  region: null,
  endpoint: null,
  credentials: null,
  fifo: false,
  topology: "make",
  waitMs: 10_000,
  answerWithinMs: pullTransportDefaults.answerWithinMs,
  maxMessageBytes: 1_048_576,
  maxHidden: 10_000,
  bodies: null,
  host: pullTransportDefaults.host,
};

export const sqsCapabilities: Capabilities = {
  atomicOnward: false,
  order: false,
  holdsBack: false,
  deliveryCount: true,
  lease: true,
  typedHeaders: true,
  repeatedHeaders: true,
  replyAddresses: false,
};

export const sqsFifoCapabilities: Capabilities = { ...sqsCapabilities, order: true };

const noTransaction = "a request concerns one queue: sent first, then deleted";
const unordered = "a standard queue gives messages in any order; a FIFO queue keeps it (`fifo`)";
const outOfPlace = "a message cannot be changed where it is: a retry is sent again, out of its place";

export const sqsShortcomings: Shortcomings = {
  ...ordinaryReplies,
  atomicOnward: noTransaction,
  order: unordered,
  holdsBack: unordered,
};
export const sqsFifoShortcomings: Shortcomings = {
  ...ordinaryReplies,
  atomicOnward: noTransaction,
  holdsBack: outOfPlace,
};

const mostBytes = 1_048_576;
const longestWaitMs = 20_000;
/** How long a body may take to be kept, in milliseconds. */
const keepWithinMs = 120_000;

/** Amazon SQS, standard or FIFO queues. Needs the package `@aws-sdk/client-sqs`. */
export function sqsTransport(options: SqsTransportOptions = {}): Transport {
  const settings = withDefaults<SqsTransportOptions>(sqsTransportDefaults, options);
  requireSettings(settings);
  return pullTransport(sqsLink(settings), { ...asSqs(settings), host: settings.host });
}

/** What it is called and says of itself, and how patient one must be with it. */
export function asSqs({ fifo, waitMs, answerWithinMs, bodies }: Required<SqsTransportOptions>) {
  return {
    broker: "sqs",
    capabilities: fifo ? sqsFifoCapabilities : sqsCapabilities,
    shortcomings: fifo ? sqsFifoShortcomings : sqsShortcomings,
    // It is SQS that waits.
    pollMs: waitMs < 1_000 ? 200 : 1,
    takeWaitMs: waitMs,
    // There every receive counts for good: what waited here in vain would come as redelivered, and at last be moved by SQS.
    takesAhead: !fifo,
    // SQS goes on with a group as long as that has messages.
    hasSequenceByKey: fifo,
    // Beyond the client's own tries, and beyond a large body's way to its place: given up earlier, it would be sent twice.
    answerWithinMs: 3 * answerWithinMs + (bodies === null ? 0 : keepWithinMs),
  } as const;
}

export function sqsLink(settings: Required<SqsTransportOptions>, { asGuest = false } = {}): SqsLink {
  const { region, endpoint, credentials, answerWithinMs, topology } = settings;
  const makes = topology === "make";
  const connection = new SqsConnection({ region, endpoint, credentials, answerWithinMs, makes, maxAttempts: 3 });
  return new SqsLink({ ...settings, connection, asGuest });
}

function requireSettings(settings: Required<SqsTransportOptions>): void {
  const { region, endpoint, credentials, fifo, topology, waitMs, answerWithinMs, bodies } = settings;
  requireOption(region === null || /^[\w-]+$/u.test(String(region)), "region", "a region, as eu-west-1", region);
  requireOption(endpoint === null || isHttp(endpoint), "endpoint", "an address like http://127.0.0.1:9324", endpoint);
  requireOption(
    credentials === null || isCredentials(credentials),
    "credentials",
    "an accessKeyId and a secretAccessKey",
  );
  requireOption(typeof fifo === "boolean", "fifo", "true or false", fifo);
  requireOneOf("topology", topology, ["make", "check"]);
  requireNumber("waitMs", waitMs, { min: 0, max: longestWaitMs });
  requireNumber("answerWithinMs", answerWithinMs, { min: 1 });
  requireNumber("maxMessageBytes", settings.maxMessageBytes, { min: 1_024, max: mostBytes, integer: true });
  requireOption(bodies === null || isBodyStore(bodies), "bodies", "a place for bodies, as `s3Bodies({ bucket })`");
  requireNumber("maxHidden", settings.maxHidden, { min: 0, max: 100_000, integer: true });
}

function isBodyStore({ keep, read }: BodyStore): boolean {
  return typeof keep === "function" && typeof read === "function";
}

function isHttp(url: unknown): boolean {
  return typeof url === "string" && /^https?:$/u.test(URL.parse(url)?.protocol ?? "");
}

/** The secret itself is not shown. */
function isCredentials({ accessKeyId, secretAccessKey }: SqsCredentials): boolean {
  return typeof accessKeyId === "string" && typeof secretAccessKey === "string";
}
