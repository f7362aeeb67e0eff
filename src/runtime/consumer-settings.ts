import type { Host } from "../domain/clock.ts";
import { carriedKey } from "../domain/idempotency.ts";
import { type Address, type Message, queueName } from "../domain/message.ts";
import { refuseUnknownNames, requireNumber, requireOneOf, requireOption } from "../domain/options.ts";
import type { HandledSchema } from "../domain/report.ts";
import { queueNames, wireCaps } from "../domain/wire.ts";
import { type Backoff, backoff } from "../policies/backoff.ts";
import type { BlockedKeys } from "../stores/blocked-keys.ts";
import { systemHost } from "../system/host.ts";
import type { Transport } from "../transports/transport.ts";
import type { Handler } from "./attempt.ts";
import { utf8Length } from "./attempt-log.ts";
import type { Breaker } from "./breaker.ts";
import {
  type ConsumerOptions,
  consumerDefaults,
  type DeadLetterOptions,
  type InboxOptions,
  type RetryOptions,
} from "./consumer-options.ts";
import type { Decoding } from "./decode.ts";
import { usableKey } from "./usable-key.ts";

type Options<Payload, Tx> = ConsumerOptions<Payload, Tx>;

/** Every option checked and with its value: what the rest of the runtime sees. */
export interface ConsumerSettings<Payload, Tx> {
  readonly transport: Transport;
  readonly source: Address;
  readonly handler: Handler<Payload, Tx>;
  readonly name: string;
  readonly service: string;
  readonly version: string;
  readonly instance: string;
  readonly decode: Decoding;
  readonly schema: Options<Payload, Tx>["schema"];
  readonly handles: readonly HandledSchema[];
  readonly probe: Options<Payload, Tx>["probe"];
  readonly concurrency: number;
  readonly prefetch: number;
  /** Which keys wait; undefined where no order was asked for. */
  readonly blockedKeys: BlockedKeys | undefined;
  readonly timeLimitMs: number;
  readonly leaseMs: number;
  readonly drainMs: number;
  readonly stalledAfterMs: number;
  readonly maxAttempts: number;
  readonly backoff: Backoff;
  readonly budget: RetryOptions["budget"];
  readonly breaker: Options<Payload, Tx>["breaker"];
  readonly dependencies: readonly Breaker[];
  readonly whenOpen: "pause" | "delay" | "dead-letter";
  readonly poison: Options<Payload, Tx>["poison"];
  readonly storm: Options<Payload, Tx>["storm"];
  readonly inbox: InboxSettings<Payload, Tx> | undefined;
  readonly idempotencyKey: (message: Message) => string | undefined;
  readonly deadLetterQueue: string;
  readonly returnDelayMs: number;
  readonly classify: Options<Payload, Tx>["classify"];
  readonly observers: NonNullable<Options<Payload, Tx>["observers"]>;
  readonly host: Host;
}

export type InboxSettings<Payload, Tx> = Required<Omit<InboxOptions<Payload, Tx>, "key">>;

/** An option that is missing here does not compile. */
const optionNames: Readonly<Record<keyof ConsumerOptions, true>> = {
  ...{ transport: true, queue: true, handler: true, name: true, service: true, version: true, instance: true },
  ...{
    decode: true,
    schema: true,
    handles: true,
    probe: true,
    concurrency: true,
    prefetch: true,
    order: true,
    timeLimitMs: true,
    leaseMs: true,
  },
  ...{ drainMs: true, stalledAfterMs: true, retry: true, breaker: true, dependencies: true, whenOpen: true },
  ...{
    poison: true,
    storm: true,
    inbox: true,
    blockedKeys: true,
    deadLetter: true,
    classify: true,
    observers: true,
    host: true,
  },
};

type NumberOption = "concurrency" | "prefetch" | "timeLimitMs" | "leaseMs" | "drainMs" | "stalledAfterMs";

const dayMs = 86_400_000;

/** Checks a consumer's options once, when it is made: a mistake shows before the first message, by its name. */
export function readConsumerOptions<Payload, Tx>(options: Options<Payload, Tx>): ConsumerSettings<Payload, Tx> {
  refuseUnknownNames(Object.keys(options), Object.keys(optionNames));
  requireOption(typeof options.transport?.consume === "function", "transport", "a transport");
  requireOption(typeof options.handler === "function", "handler", "a function", options.handler ?? null);
  const { probe } = options;
  requireOption(probe === undefined || typeof probe === "function", "probe", "a function", probe);
  const source = readSource(options.queue);
  const host = options.host ?? systemHost;
  return {
    transport: options.transport,
    source,
    handler: options.handler,
    name: options.name ?? queueName(source),
    service: options.service ?? "",
    version: options.version ?? "",
    instance: options.instance ?? host.newId().slice(0, 8),
    schema: readSchema(options.schema),
    handles: readHandled(options.handles),
    probe,
    breaker: options.breaker,
    dependencies: readList("dependencies", options.dependencies),
    poison: options.poison,
    storm: options.storm,
    classify: options.classify,
    observers: readList("observers", options.observers),
    host,
    ...readChoices(options),
    blockedKeys: readOrder(options),
    ...readNumbers(options),
    ...readRetry(options.retry ?? {}),
    ...readInbox(options.inbox, queueName(source)),
    ...readDeadLetter(options.deadLetter ?? {}, queueName(source)),
  };
}

function readSource(queue: string | Address): Address {
  const source = typeof queue === "string" ? { name: queue } : queue;
  requireOption(typeof source?.name === "string" && source.name !== "", "queue", "a queue's name", queue ?? null);
  const fits = utf8Length(queueName(source)) <= wireCaps.queue;
  requireOption(fits, "queue", `a name of at most ${wireCaps.queue} bytes, or headers could not carry it`);
  return source;
}

function readList<Item>(option: string, items: readonly Item[] = []): readonly Item[] {
  requireOption(Array.isArray(items), option, "a list", items);
  return items;
}

function readHandled(handles: readonly HandledSchema[] = []): readonly HandledSchema[] {
  const isSchema = ({ name, versions }: Partial<HandledSchema>) =>
    typeof name === "string" && Array.isArray(versions) && versions.every((version) => typeof version === "string");
  const all = readList("handles", handles);
  requireOption(all.every(isSchema), "handles", "a list of { name, versions }, versions being a list of text", handles);
  return all;
}

function readSchema<Schema extends object | undefined>(schema: Schema): Schema {
  const known = schema === undefined || "~standard" in schema;
  requireOption(known, "schema", "a Standard Schema (zod, valibot, arktype and others are)");
  return schema;
}

function readChoices(options: Pick<ConsumerOptions, "decode" | "whenOpen">) {
  const { decode = consumerDefaults.decode, whenOpen = consumerDefaults.whenOpen } = options;
  if (typeof decode !== "function") requireOneOf("decode", decode, ["json", "text", "bytes"]);
  requireOneOf("whenOpen", whenOpen, ["pause", "delay", "dead-letter"]);
  return { decode, whenOpen };
}

function readOrder(options: Pick<ConsumerOptions, "order" | "blockedKeys" | "transport">): BlockedKeys | undefined {
  const { order = consumerDefaults.order, blockedKeys, transport } = options;
  requireOneOf("order", order, ["none", "key"]);
  if (order === "none") return undefined;
  const { broker, capabilities, shortcomings = {} } = transport;
  const why = shortcomings.order === undefined ? "" : ` (${shortcomings.order})`;
  const advice = 'Leave `order` out, or use a transport whose capabilities have "order"';
  requireOption(capabilities.order, "order", `"none": ${broker} does not keep the order of a key${why}. ${advice}`);
  const stores = "memoryBlockedKeys() in one process, postgresBlockedKeys({ database }) for several";
  const isStore = typeof blockedKeys?.arrive === "function";
  requireOption(isStore, "blockedKeys", `a store, or nobody knows which keys wait: ${stores}`, blockedKeys ?? null);
  return blockedKeys;
}

function readNumbers(options: Pick<ConsumerOptions, NumberOption>) {
  const { concurrency = consumerDefaults.concurrency, prefetch = 2 * concurrency } = options;
  const { timeLimitMs = consumerDefaults.timeLimitMs, leaseMs = consumerDefaults.leaseMs } = options;
  const { drainMs = consumerDefaults.drainMs } = options;
  const { stalledAfterMs = Math.max(consumerDefaults.stalledAfterMs, 3 * timeLimitMs) } = options;
  requireNumber("concurrency", concurrency, { min: 1, max: 100_000, integer: true });
  requireNumber("prefetch", prefetch, { min: concurrency, max: 1_000_000, integer: true });
  requireNumber("timeLimitMs", timeLimitMs, { min: 1, max: dayMs });
  requireNumber("leaseMs", leaseMs, { min: 50, max: dayMs });
  requireNumber("drainMs", drainMs, { min: 0, max: dayMs });
  requireNumber("stalledAfterMs", stalledAfterMs, { min: 1_000, max: 3 * dayMs });
  const patient = stalledAfterMs > timeLimitMs;
  requireOption(patient, "stalledAfterMs", "more than `timeLimitMs`, or work that is within its limit looks stalled");
  return { concurrency, prefetch, timeLimitMs, leaseMs, drainMs, stalledAfterMs };
}

function readRetry(retry: RetryOptions) {
  refuseUnknownNames(Object.keys(retry), ["maxAttempts", "backoff", "budget"], "retry");
  const { maxAttempts = consumerDefaults.maxAttempts, budget } = retry;
  requireNumber("retry.maxAttempts", maxAttempts, { min: 1, max: 1_000, integer: true });
  const wait = typeof retry.backoff === "function" ? careful(retry.backoff) : backoff(retry.backoff, "retry.backoff");
  return { maxAttempts, budget, backoff: wait };
}

/** A backoff of somebody's own that throws must not decide what becomes of a message. */
function careful(own: Backoff): Backoff {
  const usual = backoff();
  return (attempt, random, previousMs) => {
    try {
      return own(attempt, random, previousMs);
    } catch {
      return usual(attempt, random, previousMs);
    }
  };
}

function readInbox<Payload, Tx>(inbox: InboxOptions<Payload, Tx> | undefined, queue: string) {
  const carried = (message: Message) => usableKey(carriedKey(message, queue));
  if (inbox === undefined) return { inbox, idempotencyKey: carried };
  refuseUnknownNames(Object.keys(inbox), ["store", "windowMs", "onDuplicate", "key"], "inbox");
  const { store, windowMs = consumerDefaults.inboxWindowMs, onDuplicate = "ignore", key } = inbox;
  requireOption(typeof store?.once === "function", "inbox.store", "an inbox");
  requireNumber("inbox.windowMs", windowMs, { min: 1, max: 3_650 * dayMs });
  const merges = typeof onDuplicate === "object" && typeof onDuplicate?.merge === "function";
  if (!merges) requireOneOf("inbox.onDuplicate", onDuplicate, ["ignore", "fail"]);
  const idempotencyKey = key === undefined ? carried : (message: Message) => usableKey(key(message));
  return { inbox: { store, windowMs, onDuplicate }, idempotencyKey };
}

function readDeadLetter(deadLetter: DeadLetterOptions, source: string) {
  refuseUnknownNames(Object.keys(deadLetter), ["queue", "returnDelayMs"], "deadLetter");
  const { queue = queueNames.deadLetters, returnDelayMs = consumerDefaults.returnDelayMs } = deadLetter;
  requireNumber("deadLetter.returnDelayMs", returnDelayMs, { min: 1, max: dayMs });
  const deadLetterQueue: unknown = typeof queue === "function" ? queue(source) : queue;
  const named = typeof deadLetterQueue === "string" && deadLetterQueue !== "";
  requireOption(named, "deadLetter.queue", "a queue's name, or a rule that gives one", deadLetterQueue ?? null);
  requireOption(
    deadLetterQueue !== source,
    "deadLetter.queue",
    "another queue than the consumer's own: its dead would rise at once",
  );
  return { returnDelayMs, deadLetterQueue: deadLetterQueue as string };
}
