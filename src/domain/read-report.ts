import type { BreakerReport, HeartbeatReport, OutcomeReport, ProbeReport, QueueHeartbeat, Report } from "./report.ts";

type Fields = Readonly<Record<string, unknown>>;

const decoder = new TextDecoder("utf-8", { fatal: true });
const halfCharacter = /\p{Surrogate}/u;
const longestReport = 262_144;
/** A hundred years. */
const longestS = 3_153_600_000;

/** Null for whatever is not a report as docs/reference/wire.md has them: anyone may write to their queue. */
export function readReport(body: Uint8Array): Report | null {
  if (body.byteLength > longestReport) return null;
  try {
    const fields: unknown = JSON.parse(decoder.decode(body));
    return isFields(fields) && fields.v === 1 ? (readers[String(fields.kind)]?.(fields) ?? null) : null;
  } catch {
    return null;
  }
}

const readers: Readonly<Record<string, (fields: Fields) => Report | null>> = {
  outcome: (fields) => (isOutcome(fields) ? fields : null),
  heartbeat: (fields) => (isHeartbeat(fields) ? { ...fields, queues: fields.queues.map(withAbilities) } : null),
  breaker: (fields) => (isBreaker(fields) ? fields : null),
  probe: (fields) => (isProbe(fields) ? fields : null),
};

function isOutcome(fields: Fields): fields is Fields & OutcomeReport {
  const isResult = fields.result === "done" || fields.result === "suppressed" || fields.result === "dead";
  return isResult && isText(fields.letter) && isText(fields.replay) && isText(fields.queue) && isText(fields.service);
}

function isHeartbeat(fields: Fields): fields is Fields & HeartbeatReport {
  const hasQueues = Array.isArray(fields.queues) && fields.queues.every(isQueue);
  return hasQueues && isText(fields.service) && isText(fields.version) && isText(fields.instance) && isTime(fields.at);
}

function isQueue(value: unknown): value is QueueHeartbeat {
  if (!isFields(value)) return false;
  const { queue, schemas, inboxWindowS, retryHorizonS } = value;
  const hasWindow = inboxWindowS === null || isAmount(inboxWindowS);
  return isText(queue) && hasWindow && isAmount(retryHorizonS) && Array.isArray(schemas) && schemas.every(isSchema);
}

/** One that does not say so cannot be asked, and its inbox has no transaction. */
function withAbilities(heartbeat: QueueHeartbeat): QueueHeartbeat {
  const { probe, inboxTransactional } = heartbeat;
  return { ...heartbeat, probe: probe === true, inboxTransactional: inboxTransactional === true };
}

function isSchema(value: unknown): boolean {
  return isFields(value) && isText(value.name) && Array.isArray(value.versions) && value.versions.every(isText);
}

function isBreaker(fields: Fields): fields is Fields & BreakerReport {
  const isState = fields.state === "closed" || fields.state === "open" || fields.state === "half-open";
  const isNamed = isText(fields.name) && isText(fields.queue) && isText(fields.service) && isText(fields.instance);
  return isState && isNamed && isTime(fields.since) && isTime(fields.at);
}

function isProbe(fields: Fields): fields is Fields & ProbeReport {
  const isEffect = fields.effect === "done" || fields.effect === "none" || fields.effect === "unknown";
  return isEffect && isText(fields.question) && isText(fields.queue);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** No database keeps a NUL in a text, nor half a character as it came. */
function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= 1_024 && !value.includes("\0") && !halfCharacter.test(value);
}

/** In seconds. A wait that is added to the time must not end where no calendar goes. */
function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= longestS;
}

/** Of four-digit years: others are written in ways that databases read differently. */
function isTime(value: unknown): value is string {
  const time = isText(value) ? Date.parse(value) : Number.NaN;
  return time >= 0 && time < Date.UTC(10_000, 0);
}
