import type { Host } from "../domain/clock.ts";
import { type Address, type Message, queueName } from "../domain/message.ts";
import { refuseUnknownNames, requireNumber, requireOneOf, requireOption } from "../domain/options.ts";
import { queueNames, wireCaps } from "../domain/wire.ts";
import { type Backoff, backoff } from "../policies/backoff.ts";
import { systemHost } from "../system/host.ts";
import type { Transport } from "../transports/transport.ts";
import type { Handler } from "./attempt.ts";
import { utf8Length } from "./attempt-log.ts";
import type { Breaker } from "./breaker.ts";
import { type ConsumerOptions, consumerDefaults, type InboxOptions, type RetryOptions } from "./consumer-options.ts";
import type { Decoding } from "./decode.ts";
import { carriedKey } from "../domain/idempotency.ts";

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
  readonly concurrency: number;
  readonly prefetch: number;
  readonly order: "none" | "key";
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
  readonly deadLetterQueue: (queue: string) => string;
  readonly returnDelayMs: number;
  readonly classify: Options<Payload, Tx>["classify"];
  readonly observers: NonNullable<Options<Payload, Tx>["observers"]>;
  readonly host: Host;
}

export type InboxSettings<Payload, Tx> = Required<Omit<InboxOptions<Payload, Tx>, "key">>;

const optionNames = [
  ...["transport", "queue", "handler", "name", "service", "version", "instance", "decode", "schema", "concurrency"],
  ...["prefetch", "order", "timeLimitMs", "leaseMs", "drainMs", "stalledAfterMs", "retry", "breaker", "dependencies"],
  ...["whenOpen", "poison", "storm", "inbox", "deadLetter", "classify", "observers", "host"],
];

type NumberOption = "concurrency" | "prefetch" | "timeLimitMs" | "leaseMs" | "drainMs" | "stalledAfterMs";

const dayMs = 86_400_000;

/** Checks a consumer's options once, when it is made: a mistake shows before the first message, by its name. */
export function readConsumerOptions<Payload, Tx>(options: Options<Payload, Tx>): ConsumerSettings<Payload, Tx> {
  refuseUnknownNames(Object.keys(options), optionNames);
  requireOption(typeof options.transport?.consume === "function", "transport", "a transport");
  requireOption(typeof options.handler === "function", "handler", "a function", options.handler ?? null);
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
    breaker: options.breaker,
    dependencies: options.dependencies ?? [],
    poison: options.poison,
    storm: options.storm,
    classify: options.classify,
    observers: options.observers ?? [],
    host,
    ...readChoices(options),
    ...readNumbers(options),
    ...readRetry(options.retry ?? {}),
    ...readInbox(options.inbox),
    ...readDeadLetter(options.deadLetter ?? {}),
  };
}

function readSource(queue: string | Address): Address {
  const source = typeof queue === "string" ? { name: queue } : queue;
  requireOption(typeof source?.name === "string" && source.name !== "", "queue", "a queue's name", queue ?? null);
  const fits = utf8Length(queueName(source)) <= wireCaps.queue;
  requireOption(fits, "queue", `a name of at most ${wireCaps.queue} bytes, or headers could not carry it`);
  return source;
}

function readSchema<Schema extends object | undefined>(schema: Schema): Schema {
  const known = schema === undefined || "~standard" in schema;
  requireOption(known, "schema", "a Standard Schema (zod, valibot, arktype and others are)");
  return schema;
}

function readChoices(options: Pick<ConsumerOptions, "decode" | "order" | "whenOpen" | "transport">) {
  const { decode = consumerDefaults.decode, order = consumerDefaults.order } = options;
  const { whenOpen = consumerDefaults.whenOpen } = options;
  if (typeof decode !== "function") requireOneOf("decode", decode, ["json", "text", "bytes"]);
  requireOneOf("order", order, ["none", "key"]);
  requireOneOf("whenOpen", whenOpen, ["pause", "delay", "dead-letter"]);
  const orders = order === "none" || options.transport.capabilities.order;
  requireOption(orders, "order", `"none": ${options.transport.broker} does not keep the order of a key`);
  return { decode, order, whenOpen };
}

function readNumbers(options: Pick<ConsumerOptions, NumberOption>) {
  const { concurrency = consumerDefaults.concurrency, prefetch = 2 * concurrency } = options;
  const { timeLimitMs = consumerDefaults.timeLimitMs, leaseMs = consumerDefaults.leaseMs } = options;
  const { drainMs = consumerDefaults.drainMs, stalledAfterMs = consumerDefaults.stalledAfterMs } = options;
  requireNumber("concurrency", concurrency, { min: 1, max: 100_000, integer: true });
  requireNumber("prefetch", prefetch, { min: concurrency, max: 1_000_000, integer: true });
  requireNumber("timeLimitMs", timeLimitMs, { min: 1, max: dayMs });
  requireNumber("leaseMs", leaseMs, { min: 50, max: dayMs });
  requireNumber("drainMs", drainMs, { min: 0, max: dayMs });
  requireNumber("stalledAfterMs", stalledAfterMs, { min: 1_000, max: dayMs });
  return { concurrency, prefetch, timeLimitMs, leaseMs, drainMs, stalledAfterMs };
}

function readRetry(retry: RetryOptions) {
  refuseUnknownNames(Object.keys(retry), ["maxAttempts", "backoff", "budget"], "retry");
  const { maxAttempts = consumerDefaults.maxAttempts, budget } = retry;
  requireNumber("retry.maxAttempts", maxAttempts, { min: 1, max: 1_000, integer: true });
  const wait = typeof retry.backoff === "function" ? retry.backoff : backoff(retry.backoff, "retry.backoff");
  return { maxAttempts, budget, backoff: wait };
}

function readInbox<Payload, Tx>(inbox: InboxOptions<Payload, Tx> | undefined) {
  if (inbox === undefined) return { inbox, idempotencyKey: carriedKey };
  refuseUnknownNames(Object.keys(inbox), ["store", "windowMs", "onDuplicate", "key"], "inbox");
  const { store, windowMs = consumerDefaults.inboxWindowMs, onDuplicate = "ignore", key = carriedKey } = inbox;
  requireOption(typeof store?.once === "function", "inbox.store", "an inbox");
  requireNumber("inbox.windowMs", windowMs, { min: 1, max: 3_650 * dayMs });
  const merges = typeof onDuplicate === "object" && typeof onDuplicate?.merge === "function";
  if (!merges) requireOneOf("inbox.onDuplicate", onDuplicate, ["ignore", "fail"]);
  return { inbox: { store, windowMs, onDuplicate }, idempotencyKey: key };
}

function readDeadLetter(deadLetter: NonNullable<Options<never, never>["deadLetter"]>) {
  refuseUnknownNames(Object.keys(deadLetter), ["queue", "returnDelayMs"], "deadLetter");
  const { queue = queueNames.deadLetters, returnDelayMs = consumerDefaults.returnDelayMs } = deadLetter;
  requireNumber("deadLetter.returnDelayMs", returnDelayMs, { min: 1, max: dayMs });
  const named = typeof queue === "function" || (typeof queue === "string" && queue !== "");
  requireOption(named, "deadLetter.queue", "a queue's name or a rule that gives one");
  return { returnDelayMs, deadLetterQueue: typeof queue === "string" ? () => queue : queue };
}
