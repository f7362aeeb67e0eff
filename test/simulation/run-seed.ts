import { queueNames } from "../../src/domain/wire.ts";
import { isHopeless } from "./behaviour.ts";
import type { FaultKind } from "./faults.ts";
import { operate, seeParked } from "./operator.ts";
import { type Judgement, judge } from "./oracle.ts";
import { produce } from "./producer.ts";
import type { Scenario } from "./scenario.ts";
import { type Stage, setStage } from "./stage.ts";
import { scheduleTroubles } from "./troubles.ts";
import { workQueue } from "./witness.ts";
import { Workers } from "./workers.ts";
import { beginningOfTime } from "./world.ts";

export interface SeedReport extends Judgement {
  readonly seed: number;
  readonly messages: number;
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  readonly steps: number;
  /** How much virtual time it took. */
  readonly lastedMs: number;
  readonly traceHash: string;
  readonly traceTail: readonly string[];
}

/** More than any run needs by far: whoever gets there goes round in circles. */
const mostSteps = 200_000;

/** Runs one system of consumers through its faults to its rest, and judges it. */
export async function runSeed(seed: number): Promise<SeedReport> {
  const stage = setStage(String(seed));
  // In a real process this would be its end.
  const accuse = (error: unknown) => stage.witness.accuse(`a rejection nobody handled: ${String(error)}`);
  process.on("unhandledRejection", accuse);
  try {
    await play(stage);
  } finally {
    process.off("unhandledRejection", accuse);
  }
  return report(seed, stage);
}

async function play(stage: Stage): Promise<void> {
  const { world, broker, network, scenario, witness } = stage;
  const workers = new Workers(stage);
  scheduleTroubles(stage, workers);
  operate(stage);

  const isStuck = () => world.steps > mostSteps;
  let isProduced = false;
  const producing = produce(stage).then(() => {
    isProduced = true;
  });
  await world.runUntil(() => (network.isCalm && isProduced) || isStuck());

  const deadline = world.clock.now() + settleMs(scenario);
  const isSettled = () => broker.depth(workQueue) === 0 && !hasLanes(stage) && network.strays === 0;
  const isLate = () => world.clock.now() > deadline || isStuck();
  do {
    await world.runUntil(() => isSettled() || isLate());
    await seeParked(stage);
  } while (!isSettled() && !isLate());

  await stopAll(stage, workers, isStuck);
  if (isStuck()) witness.accuse("it never comes to rest");
  else await producing;
}

/** Whether something is parked that comes back by itself. */
function hasLanes({ broker, witness }: Stage): boolean {
  const parked = queueNames.parked(workQueue);
  return broker.messages(parked).some((message) => witness.laneStanding(parked, message) === "waiting");
}

async function stopAll({ world, scenario, witness }: Stage, workers: Workers, isStuck: () => boolean): Promise<void> {
  let isOver = false;
  const deadline = world.clock.now() + scenario.settings.drainMs + scenario.settings.leaseMs + 60_000;
  void workers.stopAll().then(() => {
    isOver = true;
  });
  await world.runUntil(() => isOver || world.clock.now() > deadline || isStuck());
  if (!isOver) witness.accuse("the workers do not stop");
}

/**
 * Everything settles within the longest backoff and a minute. Messages that never get better take all their attempts first,
 * and those that kill take the rest with them until they are found out.
 */
function settleMs({ settings, messages }: Scenario): number {
  const { maxAttempts, backoff, timeLimitMs, leaseMs, breaker, poison } = settings;
  const hopeless = messages.filter(({ behaviour }) => isHopeless(behaviour) && behaviour.kind !== "kill").length;
  const killers = messages.filter(({ behaviour }) => behaviour.kind === "kill").length;
  const attemptMs = backoff.maxMs + timeLimitMs + 1_000;
  const pausesMs = breaker ? hopeless * maxAttempts * breaker.recoveryMs : 0;
  const hopelessMs = hopeless === 0 ? 0 : maxAttempts * attemptMs + hopeless * timeLimitMs * maxAttempts + pausesMs;
  const killersMs = killers * (poison.crashes + 1) * (leaseMs + 5_000);
  // In a lane all of that comes one after the other, and each message may have to be fetched.
  const lanesMs = settings.order === "key" ? hopeless * maxAttempts * attemptMs + messages.length * 5_000 : 0;
  return backoff.maxMs + 60_000 + hopelessMs + killersMs + lanesMs;
}

function report(seed: number, stage: Stage): SeedReport {
  const { world, network, witness } = stage;
  return {
    seed,
    ...judge(stage),
    messages: [...witness.stored.values()].reduce((sum, copies) => sum + copies, 0),
    faults: Object.fromEntries(network.faults),
    steps: world.steps,
    lastedMs: world.clock.now() - beginningOfTime,
    traceHash: world.trace.hash,
    traceTail: world.trace.lastLines,
  };
}

/** Whether the seed showed anything wrong. */
export function isFailure({ lost, unexpected, effectiveDuplicates, broken }: Judgement): boolean {
  return lost.length + unexpected.length + effectiveDuplicates.length + broken.length > 0;
}
