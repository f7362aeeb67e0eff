import { type Header, headerText, type Message } from "../../src/domain/message.ts";
import { deadLetterReasons, queueNames, wire } from "../../src/domain/wire.ts";
import { assertSameHeaders } from "../../src/testing/transport-contract/same-message.ts";
import { isHopeless } from "./behaviour.ts";
import { idOf, toMessage } from "./planned-message.ts";
import type { PlannedMessage } from "./scenario.ts";
import type { Stage } from "./stage.ts";
import { type Witness, workQueue } from "./witness.ts";
import { mostSkewMs } from "./worker.ts";
import { beginningOfTime } from "./world.ts";

/** What became of everything, told in sets. */
export interface Judgement {
  /** Accepted, and now neither processed nor kept anywhere. */
  readonly lost: readonly string[];
  /** There, and never sent like that. */
  readonly unexpected: readonly string[];
  /** Keys with two effects in spite of the inbox. */
  readonly effectiveDuplicates: readonly string[];
  /** Processed or kept more than once: allowed, but worth knowing. */
  readonly rawDuplicates: number;
  /** Whatever else was not as promised. */
  readonly broken: readonly string[];
}

/** One message at rest, after everything has settled. */
interface Resting {
  readonly id: string;
  readonly queue: string;
  readonly message: Message;
  readonly reason: string | undefined;
}

export function judge(stage: Stage): Judgement {
  const { broker, witness } = stage;
  const resting = broker.queues().flatMap((queue) => broker.messages(queue).map((message) => rest(queue, message)));
  return {
    lost: findLost(stage, resting),
    unexpected: findUnexpected(stage, resting),
    effectiveDuplicates: findEffectiveDuplicates(stage),
    rawDuplicates: countRawDuplicates(stage, resting),
    broken: [
      ...witness.accusations,
      ...resting.filter(({ queue }) => queue === workQueue).map(({ id }) => `${id} has not settled`),
      ...inLane(witness, resting, "waiting").map(({ id }) => `${id} is stuck in its lane`),
      ...resting.filter(({ queue }) => queue !== workQueue).flatMap((letter) => doubtLetter(stage, letter)),
      ...findUnboundedAttempts(stage),
      ...resting.flatMap((letter) => doubtCrashPoison(stage, letter)),
      ...stage.scenario.messages.flatMap((planned) => doubtKiller(stage, planned, resting)),
    ],
  };
}

function rest(queue: string, message: Message): Resting {
  return { id: idOf(message), queue, message, reason: headerText(message.headers, wire.reason) };
}

function inLane(witness: Witness, resting: readonly Resting[], standing: "waiting" | "copy"): readonly Resting[] {
  return resting.filter(({ queue, message }) => witness.laneStanding(queue, message) === standing);
}

function findLost({ scenario, witness }: Stage, resting: readonly Resting[]): string[] {
  const kept = new Set(resting.map(({ id }) => id));
  const processed = new Set(witness.effects.map(({ id }) => id));
  const processedKeys = new Set(scenario.settings.inbox ? witness.effects.map(({ key }) => key) : []);
  const isSafe = ({ id, key, isKeyed }: PlannedMessage) =>
    kept.has(id) || processed.has(id) || (isKeyed && processedKeys.has(key));
  const accepted = scenario.messages.filter(({ id }) => witness.accepted.has(id));
  return accepted.filter((planned) => !isSafe(planned)).map(({ id }) => id);
}

/** Strangers, and messages that are not byte for byte what was sent. */
function findUnexpected({ witness }: Stage, resting: readonly Resting[]): string[] {
  const changed = resting.filter(({ id, message }) => {
    const planned = witness.planned.get(id);
    return planned === undefined || !isUnchanged(toMessage(planned), message);
  });
  const strangers = witness.effects.filter(({ id }) => !witness.planned.has(id));
  return [...changed.map(({ id, queue }) => `${id} in ${queue}`), ...strangers.map(({ id }) => `${id} processed`)];
}

/** Our own headers may be added; nothing else may change. */
export function isUnchanged(sent: Message, found: Message): boolean {
  const isOurs = ({ name }: Header) => name.startsWith("dlo-") && name !== wire.key;
  const theirs = found.headers.filter((header) => !isOurs(header));
  return (
    Buffer.compare(sent.body, found.body) === 0 &&
    Buffer.compare(sent.key ?? Buffer.of(), found.key ?? Buffer.of()) === 0 &&
    sameHeaders(sent.headers.filter(isForeign), theirs.filter(isForeign)) &&
    headerText(sent.headers, wire.key) === headerText(found.headers, wire.key)
  );
}

function isForeign({ name }: Header): boolean {
  return name !== wire.key;
}

function sameHeaders(sent: readonly Header[], found: readonly Header[]): boolean {
  try {
    assertSameHeaders(found, sent);
    return true;
  } catch {
    return false;
  }
}

function findEffectiveDuplicates({ scenario, witness }: Stage): string[] {
  if (scenario.settings.inbox === null) return [];
  const keyed = witness.effects.filter(({ id }) => witness.planned.get(id)?.isKeyed);
  const counts = countBy(keyed.map(({ key }) => key));
  return [...counts].filter(([, count]) => count > 1).map(([key, count]) => `${key} had ${count} effects`);
}

function countRawDuplicates({ witness }: Stage, resting: readonly Resting[]): number {
  const ends = [...witness.effects.map(({ id }) => id), ...resting.map(({ id }) => id)];
  return [...countBy(ends).values()].reduce((sum, count) => sum + count - 1, 0);
}

/** Whatever was set aside says why, unless it was parked, and when: in virtual time, or somebody looked at the host's clock. */
function doubtLetter({ world }: Stage, { id, queue, reason, message }: Resting): string[] {
  const isParked = queue === queueNames.parked(workQueue);
  const isExplained = isParked ? reason === undefined : deadLetterReasons.some((known) => known === reason);
  const failedAt = headerText(message.headers, wire.failedAt);
  const failedMs = failedAt === undefined ? beginningOfTime : Date.parse(failedAt);
  const isInTime = failedMs >= beginningOfTime - mostSkewMs && failedMs <= world.clock.now() + mostSkewMs;
  return [
    ...(isExplained ? [] : [`${id} lies in ${queue} for the reason ${reason}`]),
    ...(isInTime ? [] : [`${id} lies in ${queue} since ${failedAt}`]),
  ];
}

/**
 * Each copy has its attempts, and each attempt may run once more if its process died before it was charged. A dead letter
 * that could not be written costs another run, and so does a consumer that had to stop.
 */
function findUnboundedAttempts({ scenario, witness }: Stage): string[] {
  const { maxAttempts } = scenario.settings;
  return [...countBy(witness.runs.map(({ id }) => id))].flatMap(([id, runs]) => {
    const copies =
      (witness.stored.get(id) ?? 0) + (scenario.settings.order === "key" ? (witness.deaths.get(id) ?? 0) : 0);
    const extra = (witness.onwardFailures.get(id)?.length ?? 0) + (witness.interruptions.get(id) ?? 0);
    const most = 2 * (copies * maxAttempts + extra);
    return runs > most ? [`${id} ran ${runs} times, at most ${most} were allowed`] : [];
  });
}

/** Quarantine for killing processes takes charged attempts of its own that ended without a result. */
function doubtCrashPoison({ scenario, handOvers, witness }: Stage, { id, message, reason }: Resting): string[] {
  if (reason !== "crash_poison") return [];
  const { maxAttempts, poison } = scenario.settings;
  // Two copies of one message cannot be told apart where places have no names: what one was charged counts for the other.
  const isEither = !scenario.holdsBack && (witness.stored.get(id) ?? 0) > 1;
  const unfinished = handOvers.all.filter(
    (handOver) => handOver.id === id && handOver.isCharged && (isEither || handOver.state === "lost"),
  );
  // A result is as good as none if it was a death sentence and the dead letter could not be written.
  const evidence = unfinished.length + (witness.onwardFailures.get(id)?.length ?? 0);
  const isLastAttempt = Number(headerText(message.headers, wire.attempt)) >= maxAttempts;
  const needed = isLastAttempt ? 1 : poison.crashes;
  return evidence < needed ? [`${id} is quarantined as crash poison on the evidence of ${evidence}`] : [];
}

/** One that kills every process it meets is found out, whatever else goes on. */
function doubtKiller(
  { witness, scenario }: Stage,
  { id, behaviour }: PlannedMessage,
  resting: readonly Resting[],
): string[] {
  if (behaviour.kind !== "kill" || !isHopeless(behaviour) || scenario.settings.whenOpen === "dead-letter") return [];
  const couldReport = witness.runs.some((run) => run.id === id && run.state !== "running");
  const belongs = queueNames.quarantine(workQueue, "poison");
  const copies = new Set(inLane(witness, resting, "copy"));
  const elsewhere = resting.filter(
    (letter) =>
      letter.id === id && !copies.has(letter) && (letter.queue !== belongs || letter.reason !== "crash_poison"),
  );
  if (couldReport || elsewhere.length === 0) return [];
  return elsewhere.map(({ queue, reason }) => `the killer ${id} ended in ${queue} as ${reason}`);
}

export function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
