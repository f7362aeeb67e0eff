import type { ReplayVia } from "../../domain/dead-letter.ts";
import type { HeaderValue } from "../../domain/message.ts";
import { type AttemptFacts, attemptLog } from "../attempt-log.ts";
import type { Dialect, Facts } from "../dialect.ts";
import { has, type LetterView, lastText, lastValue, namesLike, propertyText, valueText } from "../letter-view.ts";
import { plausible } from "../times.ts";

/**
 * RabbitMQ's dead-letter exchange. Its `x-death` is no history: one entry per queue and reason, in no reliable order
 * but the first, each with the time of its first death. It knows nothing of the error.
 */
export const rabbitmqDlx: Dialect = { id: "rabbitmq-dlx", read };

/** What RabbitMQ would count on from, or take for a cycle and drop the message. */
export const deathHeaders =
  /^(x-death|x-(first|last)-death-(queue|reason|exchange)|x-delivery-count|x-acquired-count)$/;

interface Death {
  readonly queue: string;
  readonly reason: string;
  readonly count: number;
  /** Milliseconds; infinite where it is not said, so that it is never the earliest. */
  readonly time: number;
  readonly lastTime: number | undefined;
  /** How long it was to wait in this queue at most, in milliseconds, as digits; what died is freed of it. */
  readonly lifetimeMs: string | undefined;
  readonly via: ReplayVia | null;
}

function read(view: LetterView): Facts | null {
  const deaths = deathsOf(view);
  if (deaths.length === 0 && !has(view, "x-death") && firstDeath(view, "queue") === undefined) return null;
  const source = sourceOf(deaths, view);
  return {
    source: source?.queue,
    ...times(deaths, source),
    attemptLog: attemptLog(attemptsIn(deaths, source)),
    destination: source?.queue,
    alternatives: failedElsewhere(deaths, source),
    via: source === undefined ? null : viaOf(deaths, source),
    strip: [...namesLike(view, deathHeaders), ...springEcho(view)],
  };
}

/** A queue gave it up because it came back too often, mostly from workers that died. */
export function hitDeliveryLimit(view: LetterView): boolean {
  return deathsOf(view).some(({ reason }) => reason === "delivery_limit");
}

/** How often a queue's consumer refused the letter, as far as RabbitMQ saw it. */
export function timesRefused(view: LetterView, queue: string): number {
  const refusals = deathsOf(view).filter((death) => death.queue === queue && isFailure(death.reason));
  return refusals.reduce((sum, { count }) => sum + count, 0);
}

function deathsOf(view: LetterView): Death[] {
  const value = lastValue(view, "x-death") ?? view.properties.get("x-opt-deaths");
  return value?.type === "list" ? value.value.flatMap((entry) => deathOf(entry) ?? []) : [];
}

function deathOf(entry: HeaderValue): Death | undefined {
  if (entry.type !== "table") return undefined;
  const fields = new Map(entry.value.map(({ name, value }) => [name, value]));
  const queue = valueText(fields.get("queue"));
  if (queue === undefined) return undefined;
  const time = msOf(fields.get("time") ?? fields.get("first-time"));
  const exchange = valueText(fields.get("exchange"));
  const keys = fields.get("routing-keys");
  const routingKey = keys?.type === "list" ? valueText(keys.value[0]) : undefined;
  return {
    queue,
    reason: valueText(fields.get("reason")) ?? "",
    count: Number(valueText(fields.get("count")) ?? 1),
    time: time ?? Number.POSITIVE_INFINITY,
    lastTime: msOf(fields.get("last-time")),
    lifetimeMs: valueText(fields.get("original-expiration") ?? fields.get("ttl")),
    via: exchange === undefined || routingKey === undefined ? null : { exchange, routingKey },
  };
}

/** AMQP 0-9-1 counts seconds and is read as milliseconds; AMQP 1.0 counts milliseconds. */
function msOf(value: HeaderValue | undefined): number | undefined {
  return value?.type === "timestamp" || value?.type === "integer" ? plausible(Number(value.value)) : undefined;
}

/**
 * The queue whose consumer failed. A delay or a waiting room can die before it and after it, so neither the first death
 * nor the last is the answer: a refusal is. With expiries alone nobody can say whether that queue was for work or for
 * waiting.
 */
function sourceOf(deaths: readonly Death[], view: LetterView): Death | undefined {
  const failed = deaths.filter(({ reason }) => isFailure(reason));
  if (failed.length === 0) return deaths[0]?.reason === "maxlen" ? deaths[0] : undefined;
  const earliest = failed.reduce((first, death) => (death.time < first.time ? death : first));
  const first = isFailure(firstDeath(view, "reason") ?? "") ? firstDeath(view, "queue") : undefined;
  return failed.find(({ queue }) => queue === first) ?? earliest;
}

/** A consumer of the dead-letter queue may have refused it again, and so may have two consumers of work. */
function failedElsewhere(deaths: readonly Death[], source: Death | undefined): readonly string[] {
  const failed = deaths.filter(({ reason }) => isFailure(reason)).map(({ queue }) => queue);
  return [...new Set(failed)].filter((queue) => queue !== source?.queue);
}

function isFailure(reason: string): boolean {
  return reason === "rejected" || reason === "delivery_limit";
}

function firstDeath(view: LetterView, part: "queue" | "reason"): string | undefined {
  return lastText(view, `x-first-death-${part}`) ?? propertyText(view, `x-first-death-${part}`);
}

/**
 * A refusal's time is its first; at a delivery limit it is the time of the last run. A wait that ended before the first
 * refusal may have followed a failure that the consumer dealt with itself.
 */
function times(deaths: readonly Death[], source: Death | undefined): Pick<Facts, "firstFailedAt" | "lastFailedAt"> {
  if (source === undefined || !isFailure(source.reason) || !Number.isFinite(source.time)) return {};
  const waitedBefore = deaths.some(({ reason, time }) => reason === "expired" && time < source.time);
  const failed = deaths.filter(({ reason }) => isFailure(reason));
  const latest = failed.reduce((last, death) => (death.time > last.time ? death : last));
  const isLast = failed.every(({ count }) => count === 1) && Number.isFinite(latest.time);
  return {
    firstFailedAt: source.reason === "rejected" && !waitedBefore ? source.time : undefined,
    lastFailedAt: latest.lastTime ?? (isLast ? latest.time : undefined),
  };
}

/**
 * After the first refusal each queue that only waits ends a wait, and an attempt begins. A queue says so of its first wait alone;
 * and what a consumer did without RabbitMQ before it refused is not here, so the attempts have no numbers.
 */
function attemptsIn(deaths: readonly Death[], source: Death | undefined): readonly AttemptFacts[] {
  if (source?.reason !== "rejected" || !Number.isFinite(source.time)) return [];
  const waits = deaths
    .filter(({ reason, queue, time }) => reason === "expired" && queue !== source.queue && time > source.time)
    .filter(({ time }) => Number.isFinite(time))
    .sort((one, other) => one.time - other.time);
  if (waits.length === 0) return [];
  const attempts = waits.map(({ time, lifetimeMs }) => ({ at: time, waitMs: waitOf(lifetimeMs) }));
  const isAll = source.count === attempts.length + 1;
  return [{ at: source.time }, ...attempts, ...(isAll ? [] : [{ at: source.lastTime }])];
}

function waitOf(lifetimeMs: string | undefined): number | undefined {
  return lifetimeMs !== undefined && /^\d{1,12}$/.test(lifetimeMs) ? Number(lifetimeMs) : undefined;
}

/** After a wait, the way into the queue was the way out of the waiting room; how it first came is not in the letter. */
function viaOf(deaths: readonly Death[], { queue, via }: Death): ReplayVia | null {
  const waited = deaths.some(({ reason }) => reason === "expired");
  const isReturn = via?.exchange === "" && via.routingKey === queue;
  return via === null || isWaitingRoom(via.exchange) || (waited && isReturn) ? null : via;
}

/** Exchanges that libraries send through only to wait. */
function isWaitingRoom(exchange: string): boolean {
  return exchange.startsWith("celery_delayed_") || exchange === "delays";
}

/** Spring counts the deaths of what passes through it, and sends the count along. */
function springEcho(view: LetterView): readonly string[] {
  return lastValue(view, "retry-count")?.type === "integer" ? ["retry-count"] : [];
}
