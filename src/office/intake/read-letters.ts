import { failureEvidence } from "../../dialects/failure-evidence.ts";
import { tenantHeaders } from "../../dialects/identity.ts";
import { type BodyStore, keepBody } from "../../domain/body-store.ts";
import type { Classification, FailureEvidence, Fingerprint } from "../../domain/classification.ts";
import { type Clock, pause } from "../../domain/clock.ts";
import { type DeadLetter, emptyReading, type LetterReading } from "../../domain/dead-letter.ts";
import { hexOf } from "../../domain/ids.ts";
import { headerText } from "../../domain/message.ts";
import { clockSkewMs } from "../../domain/protocol.ts";
import { readableText } from "../../domain/readable.ts";
import { isMaskedPath, type Masking, mask, maskText } from "../../domain/redaction.ts";
import { sendMarkOf } from "../../domain/send-mark.ts";
import { wire } from "../../domain/wire.ts";
import { placesOf, wordsOf } from "../../domain/words.ts";
import type { LetterContent, LetterIdentity, LetterTrail, NewLetter } from "../../ledger/new-letter.ts";
import { senderNames } from "../../ledger/sender-names.ts";
import { sha256Of } from "../../ledger/sha256.ts";
import { sharedStack } from "../../ledger/stack-text.ts";
import { wordVector } from "../../ledger/word-vector.ts";
import type { Grouping } from "../grouping/grouping.ts";
import { placeOnArrival } from "../grouping/place-on-arrival.ts";
import type { PolicyInForce } from "../policy/policy-in-force.ts";
import { ruleOnArrival } from "../policy/rule-on-arrival.ts";
import { businessKeys, keyText } from "./business-keys.ts";
import { encodeMessage, type FoundBy, identityOf } from "./identify.ts";
import { contentOf, letterCaps } from "./letter-content.ts";
import { plainLetter } from "./plain-letter.ts";

/** What the office makes of a failure. */
export interface Triage {
  classify(evidence: FailureEvidence): Classification;
  fingerprint(evidence: FailureEvidence): Fingerprint;
}

/** A dead letter as somebody found it. */
export interface FoundLetter {
  readonly letter: DeadLetter;
  /** The connection it came by. */
  readonly source: string;
  readonly found: FoundBy;
  /** Its body stayed where it came from, and had so many bytes. It is not an empty one: it can never be sent. */
  readonly missingBodyBytes?: number;
}

export interface ReadingRoom {
  readonly read: (letter: DeadLetter) => LetterReading;
  readonly triage: Triage;
  /** A team's own rules, which come before what is built in. @default none */
  readonly policy?: () => Promise<Pick<PolicyInForce, "version" | "rules">>;
  /** What people merged and split. @default nothing */
  readonly grouping?: () => Promise<Grouping>;
  readonly masking: Masking;
  readonly bodies: BodyStore | null;
  /** The letter's id and when it came, in milliseconds since 1970. */
  readonly newLetterId: () => { readonly id: Uint8Array; readonly arrivedAt: number };
}

/**
 * After so many letters others have their turn: all of it is work for the processor alone, and without a break the ledger would
 * wait with each statement for the batch before until this one is read.
 */
const perTurn = 25;

/**
 * Makes of dead letters what the ledger keeps, in order. Bytes first, meaning second: whatever cannot be read, classified or
 * looked into makes a letter `unknown`, and never an exception, since one bad letter must not stop a drain.
 */
export async function readLetters(
  room: ReadingRoom,
  found: readonly FoundLetter[],
  clock: Clock,
): Promise<readonly NewLetter[]> {
  const changes = { policy: await room.policy?.(), grouping: await room.grouping?.() };
  const letters: NewLetter[] = [];
  for (let start = 0; start < found.length; start += perTurn) {
    if (start > 0) await pause(clock, 0);
    letters.push(...(await readTurn(room, found.slice(start, start + perTurn), changes)));
  }
  return letters;
}

/** What a team says of failures and groups. */
interface Changes {
  readonly policy: Pick<PolicyInForce, "version" | "rules"> | undefined;
  readonly grouping: Grouping | undefined;
}

async function readTurn(room: ReadingRoom, found: readonly FoundLetter[], changes: Changes): Promise<NewLetter[]> {
  const whole = readAll(room, found);
  await keepLargeBodies(room, whole);
  return whole.map((one) => changed(room, one, changes));
}

/** Where one of them throws, the others are read as ever, and that one as far as it can be. */
function readAll(room: ReadingRoom, found: readonly FoundLetter[]): readonly Held[] {
  try {
    return readTogether(room, found);
  } catch {
    if (found.length > 1) return found.flatMap((one) => readAll(room, [one]));
    return readTogether(
      { ...room, read: () => emptyReading },
      found.map((one) => plainLetter(one)),
    );
  }
}

/**
 * They go through the steps together: what a step needs (its code, tables, patterns) stays in the processor's caches. One
 * letter after the other through all steps costs twice the time. More at once would have to be kept for longer, and what lives
 * long is moved about by the collector.
 */
function readTogether(room: ReadingRoom, found: readonly FoundLetter[]): readonly Held[] {
  const { triage } = room;
  const read = found.map((one) => readingOf(room, one));
  const failures = read.map((one) => ({ ...one, evidence: failureEvidence(one.found.letter, one.reading) }));
  const classified = failures.map((one) => ({
    ...one,
    classification: unlessItThrows(() => triage.classify(one.evidence), unreadable),
  }));
  const grouped = classified.map((one) => ({
    ...one,
    fingerprint: unlessItThrows(() => triage.fingerprint(one.evidence), noFingerprint),
  }));
  const kept = grouped.map((one) => ({ ...one, ...keptOf(room, one) }));
  return kept.map((one) => ({ ...one, held: newLetter(room, one) }));
}

/** As the team's rules and groups have it. */
function changed({ masking }: ReadingRoom, { held, found, reading }: Held, { policy, grouping }: Changes): NewLetter {
  const asRead = { letter: found.letter, reading };
  const ruled = policy === undefined ? held : unlessItThrows(() => ruleOnArrival(policy, held, asRead), held);
  if (grouping === undefined) return ruled;
  return unlessItThrows(() => placeOnArrival(grouping, { letter: ruled, unruled: held, asRead, masking }), ruled);
}

interface ReadSoFar {
  readonly found: FoundLetter;
  readonly reading: LetterReading;
  /** What people look for it by. */
  readonly keys: readonly string[];
}

function readingOf({ read, masking }: ReadingRoom, found: FoundLetter): ReadSoFar {
  const reading = unlessItThrows(() => read(found.letter), emptyReading);
  return { found, reading, keys: unlessItThrows(() => businessKeys(found.letter, reading, masking), []) };
}

interface Kept {
  readonly content: LetterContent;
  readonly identity: LetterIdentity;
}

function keptOf({ bodies }: ReadingRoom, { found, reading }: ReadSoFar): Kept {
  const { letter, source, missingBodyBytes = null } = found;
  const encoded = encodeMessage(letter.message);
  const position = found.found.kind === "position" ? found.found.position : null;
  const content = contentOf(letter, reading, { position, bodies, encoded, missingBodyBytes });
  return { content, identity: identityOf(source, letter, found.found, encoded) };
}

/** What rows only refer to is durable when this resolves, so before any of them is. */
async function keepLargeBodies({ bodies }: ReadingRoom, kept: readonly (ReadSoFar & Kept)[]): Promise<void> {
  for (const { found, content } of kept) {
    if (content.bodyRef === null || content.sha256 === null) continue;
    if (bodies !== null) await keepBody(bodies, hexOf(content.sha256), found.letter.message.body);
  }
}

interface ReadWhole extends ReadSoFar, Kept {
  readonly evidence: FailureEvidence;
  readonly classification: Classification;
  readonly fingerprint: Fingerprint;
}

/** As the ledger keeps it, before a team's rules. */
interface Held extends ReadWhole {
  readonly held: NewLetter;
}

function newLetter(room: ReadingRoom, whole: ReadWhole): NewLetter {
  const { found, reading, classification, fingerprint, content, identity, keys } = whole;
  const { letter, source } = found;
  const { id, arrivedAt } = room.newLetterId();
  const drainedFrom = readableText(letter.queue ?? source, 512);
  const message = reading.errorMessage === null ? null : maskText(readableText(reading.errorMessage, 4_000));
  return {
    id,
    identity,
    source: readableText(source, 256),
    broker: readableText(letter.broker, 64),
    drainedFrom,
    queue: readableText(reading.source ?? queueBehind(drainedFrom), 512),
    classification,
    tags: [],
    policyVersion: null,
    fingerprint: unlessItThrows(() => namedAsShown(room, whole, message), fingerprint),
    placement: null,
    error: {
      class: shortOrNull(reading.errorClass, 200),
      message: shortOrNull(message, 2_000),
      code: shortOrNull(reading.errorCode, 100),
      stack: stackOf(reading),
    },
    times: timesOf(letter, reading, arrivedAt),
    attempts: count(reading.attempts),
    names: namesOf(room, whole),
    origin: originOf(reading),
    content,
    keys,
    words: wordsIn(reading, message),
    trail: trailOf(found, reading, content),
  };
}

/** Groups are called by what their letters failed with: where something in it is masked, by the rest. They stay the same groups. */
function namedAsShown(
  { triage }: ReadingRoom,
  { fingerprint, evidence }: ReadWhole,
  message: string | null,
): Fingerprint {
  if (message === null || !message.includes(mask)) return fingerprint;
  const { parts } = triage.fingerprint({ ...evidence, message: message.replaceAll(mask, "#") });
  return { id: fingerprint.id, parts };
}

function stackOf({ stack, errorMessage }: LetterReading): string | null {
  return stack === null ? null : sharedStack(readableText(stack, letterCaps.stack), errorMessage);
}

function trailOf(
  { letter: { message }, found }: FoundLetter,
  reading: LetterReading,
  { sha256 }: LetterContent,
): LetterTrail {
  const { payload } = reading;
  return {
    mark: sendMarkOf(message.headers),
    payloadSha256: payload === null ? sha256 : sha256Of(payload),
    names: senderNames(reading, message.key),
    failure: failureIn(message, reading),
    hasOwnPlace: found.kind === "position" && found.isName === true,
  };
}

/** Believed of the queue it failed in: services copy headers onto what they send elsewhere. */
function failureIn({ headers }: DeadLetter["message"], { source }: LetterReading): string | null {
  const name = headerText(headers, wire.failure);
  const isOurs = source !== null && headerText(headers, wire.queue) === source;
  return isOurs && name !== undefined && /^~?[\da-f]{32}$/.test(name) ? name : null;
}

function wordsIn({ errorClass, errorCode, schema }: LetterReading, message: string | null): NewLetter["words"] {
  const error = [readableText(errorClass ?? "", 200), readableText(errorCode ?? "", 100), message ?? ""].join(" ");
  return wordVector(placesOf(wordsOf(error), wordsOf(readableText(schema ?? "", 200))));
}

const unreadable: Classification = {
  category: "unknown",
  confidence: 0,
  rule: "office/unreadable",
  why: "The letter could not be read at all, so nothing is known about its failure.",
  sideEffect: "uncertain",
  runnerUp: null,
};

const noFingerprint: Fingerprint = { id: "0000000000000000", parts: [] };

function unlessItThrows<Result>(read: () => Result, otherwise: Result): Result {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** The queue a dead-letter queue belongs to, where no dialect knows: by the names people give them. */
export function queueBehind(queue: string): string {
  return (
    queue.replace(
      /[.\-_/](?:dlq|dlt|dead[-_.]?letters?|error|errors|failed|poison|xq)(?:[.\-_]quarantine\..*)?$/i,
      "",
    ) || queue
  );
}

/**
 * When a letter failed is what its age, its hour and every gate go by. It is the letter's own word, else its broker's, as far as either can be
 * true by the office's clock; where neither can, all that is known is that it failed before it came.
 */
function timesOf(letter: DeadLetter, reading: LetterReading, arrivedAt: number): NewLetter["times"] {
  const before = (time: number | null) => momentBefore(arrivedAt, time);
  const said = { enqueuedAt: moment(reading.enqueuedAt), expiresAt: moment(reading.expiresAt) };
  const known = { arrivedAt, ...said, firstFailedAt: before(reading.firstFailedAt) };
  const own = before(reading.lastFailedAt);
  if (own !== null) return { ...known, failedAt: own, failedAtBy: "letter" };
  const brokers = before(letter.timestamp);
  if (brokers !== null) return { ...known, failedAt: brokers, failedAtBy: "broker" };
  return { ...known, failedAt: arrivedAt, failedAtBy: "arrival" };
}

/** Before it there were no dead-letter queues of any broker here: a clock that was never set says so, or seconds taken for milliseconds. */
const earliestMs = Date.UTC(2010, 0, 1);
const latestMs = 4_102_444_800_000;

/** A time that a person would believe; letters say all kinds of things. */
function moment(time: number | null): number | null {
  return time !== null && Number.isFinite(time) && time >= earliestMs && time < latestMs ? time : null;
}

/** Nothing failed after it came: a clock that is a little ahead means that moment, and one that is far ahead says nothing. */
function momentBefore(arrivedAt: number, time: number | null): number | null {
  const believed = moment(time);
  return believed === null || believed > arrivedAt + clockSkewMs ? null : Math.min(believed, arrivedAt);
}

function count(attempts: number | null): number | null {
  if (attempts === null || !Number.isFinite(attempts) || attempts < 0) return null;
  return Math.min(Math.floor(attempts), 1_000_000);
}

function namesOf({ masking }: ReadingRoom, { found: { letter }, reading, keys }: ReadSoFar): NewLetter["names"] {
  const traceparent = headerText(letter.message.headers, "traceparent");
  return {
    type: shortOrNull(reading.schema, 200),
    key: shortOrNull(keys[0] ?? null, 200),
    orderKey: shortOrNull(reading.orderingKey ?? keyText(letter), 200),
    tenant: shortOrNull(isTenantShown(reading, masking) ? reading.tenant : null, 200),
    trace: /^[\da-f]{2}-([\da-f]{32})-/.exec(traceparent ?? "")?.[1] ?? null,
    consumer: shortOrNull(reading.consumer, 200),
  };
}

const largestOffset = 2n ** 63n - 1n;

/** A place that no broker has is none: letters say all kinds of things. */
function originOf({ partition, offset, host }: LetterReading): NewLetter["origin"] {
  const isPartition = partition !== null && partition >= 0 && partition < 2 ** 31;
  return {
    partition: isPartition ? partition : null,
    offset: offset !== null && offset >= 0n && offset <= largestOffset ? offset : null,
    host: shortOrNull(host, 200),
  };
}

/** Lists are made of it, and searches: what is masked where it stands must not be found there. */
function isTenantShown({ tenant }: LetterReading, masking: Masking): boolean {
  if (tenantHeaders.some((name) => isMaskedPath(`header.${name}`, masking))) return false;
  return tenant === null || masking.detectors === "none" || !maskText(tenant).includes(mask);
}

function shortOrNull(text: string | null, most: number): string | null {
  return text === null ? null : readableText(text, most);
}
