import { pause } from "../../src/domain/clock.ts";
import { type Consumer, createConsumer } from "../../src/runtime/consumer.ts";
import type { ConsumerOptions, InboxOptions } from "../../src/runtime/consumer-options.ts";
import type { BlockedKeys } from "../../src/stores/blocked-keys.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { watchConsumer } from "./consumer-watch.ts";
import { faultyBlockedKeys } from "./faulty-blocked-keys.ts";
import { faultyInbox, type Transaction } from "./faulty-inbox.ts";
import { faultySharedState } from "./faulty-shared-state.ts";
import { type Order, orderHandler } from "./handler.ts";
import type { Settings } from "./scenario.ts";
import { SimulatedProcess } from "./simulated-process.ts";
import { connect, type Stage } from "./stage.ts";
import { type Effect, workQueue } from "./witness.ts";

/** How far a worker's clock may be from the true time, either way, in milliseconds. */
export const mostSkewMs = 2_000;

/** One life of a worker: a process, its connection, its consumer. */
export interface Worker {
  readonly process: SimulatedProcess;
  readonly consumer: Consumer;
  readonly transport: Transport;
}

export function startWorker(stage: Stage, name: string): Worker {
  const dice = stage.world.dice.fork(`${name}'s clock`);
  const process = new SimulatedProcess(stage.world, { name, skewMs: dice.between(-mostSkewMs, mostSkewMs) });
  const transport = connect(stage, process);
  const breakerPhase = () => consumer.breaker?.phase;
  const consumer: Consumer = createConsumer({
    ...consumerOptions(stage, process, transport),
    handler: orderHandler(stage, process, breakerPhase),
  });
  consumer.start().catch((error: unknown) => stage.witness.accuse(`${name} gave up consuming: ${String(error)}`));
  return { process, consumer, transport };
}

function consumerOptions(
  stage: Stage,
  process: SimulatedProcess,
  transport: Transport,
): Omit<ConsumerOptions<Order, Transaction<Effect> | undefined>, "handler"> {
  const { concurrency, prefetch, order, timeLimitMs, leaseMs, drainMs, ...settings } = stage.scenario.settings;
  const { inbox, breaker } = settings;
  return {
    ...{ transport, queue: workQueue, concurrency, prefetch, order, timeLimitMs, leaseMs, drainMs },
    ...(order === "key" && { blockedKeys: keysOf(stage, process) }),
    instance: process.name,
    retry: { maxAttempts: settings.maxAttempts, backoff: settings.backoff, budget: settings.budget },
    poison: settings.poison,
    whenOpen: settings.whenOpen,
    breaker: breaker && {
      name: "orders",
      rule: { kind: "consecutive", failures: breaker.failures },
      recoveryMs: breaker.recoveryMs,
      successesToClose: breaker.successes,
      probes: breaker.probes,
      probeLeaseMs: breaker.probeLeaseMs,
      ...(breaker.isShared && { store: faultySharedState(stage.sharedState, stage.network, process) }),
    },
    ...(inbox && { inbox: inboxOptions(stage, process, inbox) }),
    deadLetter: { returnDelayMs: settings.returnDelayMs },
    observers: [watchConsumer(stage, process)],
    host: process.host,
  };
}

function keysOf({ blockedKeys: inner, network, witness, handOvers }: Stage, process: SimulatedProcess): BlockedKeys {
  const charged = (mark: Uint8Array) => {
    const handOver = handOvers.heldAs(process, witness.idOfMark(mark) ?? Buffer.from(mark).toString());
    if (handOver !== undefined) handOver.isCharged = true;
  };
  return faultyBlockedKeys({ inner, network, process, charged });
}

function inboxOptions(
  stage: Stage,
  process: SimulatedProcess,
  { windowMs, onDuplicate }: NonNullable<Settings["inbox"]>,
): InboxOptions<Order, Transaction<Effect> | undefined> {
  const store = faultyInbox(stage.inbox, stage.network, process);
  return { store, windowMs, onDuplicate: onDuplicate === "merge" ? { merge: async () => {} } : onDuplicate };
}

/** Ends as a deployment would: asks it to stop, waits, lets the process exit. Whoever says it has stopped must have. */
export async function stopWorker(stage: Stage, { process, consumer, transport }: Worker): Promise<void> {
  const { world, witness, network } = stage;
  world.trace.note(`${process.name} is asked to stop`);
  const askedAt = world.clock.now();
  const wasCalm = network.isCalm;
  await consumer.stop();
  await transport.close();
  world.trace.note(`${process.name} has stopped`);
  const running = witness.runningIn(process).map(({ id }) => id);
  if (running.length > 0) witness.accuse(`${process.name} stopped while it ran ${running.join(" ")}`);
  if (wasCalm) await checkCleanEnd(stage, { process, consumer, transport }, world.clock.now() - askedAt);
  process.crash("exit 0");
}

/** When nothing went wrong there is no excuse for being late, nor for leaving anything behind. */
async function checkCleanEnd(stage: Stage, { process, consumer }: Worker, tookMs: number): Promise<void> {
  const { world, witness, handOvers, scenario } = stage;
  if (tookMs > scenario.settings.drainMs + 1_000) witness.accuse(`${process.name} took ${tookMs} ms to stop`);
  // A request for parked messages that was held up may arrive at any time; for others there is nothing left to take.
  const held = handOvers.heldBy(process).flatMap(({ queue, position }) => (queue === workQueue ? [position] : []));
  if (held.length > 0) witness.accuse(`${process.name} stopped while it held ${held.join(" ")}`);
  // An extension may be on its way that nobody waits for any more.
  await pause(world.clock, 100);
  const { status } = consumer.health();
  if (status !== "stopped") witness.accuse(`${process.name} stopped and says that it is ${status}`);
  // One that was asked twice may have exited by now, and took its timers along.
  const left = process.state === "gone" ? 0 : process.pendingTimers;
  if (left > 0) witness.accuse(`${process.name} stopped and left ${left} timers behind`);
}
