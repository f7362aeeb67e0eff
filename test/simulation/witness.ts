import { headerText, type Message } from "../../src/domain/message.ts";
import { queueNames, wire } from "../../src/domain/wire.ts";
import type { BreakerPhase } from "../../src/policies/circuit-breaker.ts";
import { laneNumber, markOf } from "../../src/runtime/lane-number.ts";
import type { HandOver } from "./hand-overs.ts";
import { idOf, toMessage } from "./planned-message.ts";
import { isReliable, type PlannedMessage, type Scenario } from "./scenario.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import type { World } from "./world.ts";

export const workQueue = "orders";

/** What a handler did in the world: it cannot be taken back. */
export interface Effect {
  readonly id: string;
  readonly key: string;
}

/** One run of a handler. */
export interface Run {
  readonly id: string;
  readonly process: SimulatedProcess;
  readonly handOver: HandOver | undefined;
  /** Counts from 1. */
  readonly attempt: number;
  /** Its process's breaker when it began. While that is half-open, it is a probe. */
  readonly phase: BreakerPhase | undefined;
  readonly startedAt: number;
  /** "given-up": its signal aborted; it may still be running, and nobody waits for it. */
  state: "running" | "given-up" | "succeeded" | "failed";
}

/**
 * Sees everything as it really is, which no process does, and says at once when something happens that never may.
 */
export class Witness {
  readonly planned: ReadonlyMap<string, PlannedMessage>;
  readonly accusations: string[] = [];
  readonly effects: Effect[] = [];
  readonly runs: Run[] = [];
  /** How often a copy of a message was stored in the work queue. */
  readonly stored = new Map<string, number>();
  /** Messages whose producer was told that the broker has them. */
  readonly accepted = new Set<string>();
  /** How often an attempt was given up because its consumer had to stop. */
  readonly interruptions = new Map<string, number>();
  /** When a dead letter could not be written. */
  readonly onwardFailures = new Map<string, readonly number[]>();
  /** Numbers of parked messages that are not done with, as somebody last saw them. */
  waitingNumbers: ReadonlySet<number> = new Set();
  /** How often each was set aside: after that, whoever was not heard of gets it anew. */
  readonly deaths = new Map<string, number>();
  readonly #world: World;
  readonly #scenario: Scenario;
  readonly #lanes = new Map<string, string[]>();
  readonly #succeeded = new Set<string>();
  /** In the dead letters, or parked by its handler. */
  readonly #aside = new Set<string>();
  /** Set aside, and its key was then let go on without it. */
  readonly #passed = new Set<string>();
  readonly #marks: ReadonlyMap<string, string>;
  readonly #keysWithEffect = new Set<string>();

  constructor(world: World, scenario: Scenario) {
    this.#world = world;
    this.#scenario = scenario;
    this.planned = new Map(scenario.messages.map((message) => [message.id, message]));
    const markOfPlanned = (planned: PlannedMessage) => markOf({ message: toMessage(planned), position: null });
    this.#marks = new Map(scenario.messages.map((message) => [hex(markOfPlanned(message)), message.id]));
  }

  accuse(what: string): void {
    this.#world.trace.note(`!!! ${what}`);
    this.accusations.push(what);
  }

  /** The broker stored a message. */
  storedIn(queue: string, message: Message): void {
    const id = idOf(message);
    this.#world.trace.note(`${id} is stored in ${queue}${reasonOf(message)}`);
    if (queue === workQueue) this.#storedForWork(id);
    else if (laneOf(queue, message) === null) this.#setAside(id);
    if (headerText(message.headers, wire.reason) === "crash_poison") this.#checkInnocence(id);
  }

  /** Nobody should be paged for what was done, as long as the inbox can be asked. */
  #checkInnocence(id: string): void {
    const { settings, faults } = this.#scenario;
    const { key = "", isKeyed = false } = this.planned.get(id) ?? {};
    const isAsked = settings.inbox !== null && settings.inbox.onDuplicate !== "merge" && isReliable(faults, "inbox");
    if (isAsked && isKeyed && this.#keysWithEffect.has(key))
      this.accuse(`${id} is quarantined though it was processed`);
  }

  #storedForWork(id: string): void {
    const copies = this.stored.get(id) ?? 0;
    this.stored.set(id, copies + 1);
    const lane = this.planned.get(id)?.lane ?? null;
    if (copies > 0 || lane === null) return;
    this.#lanes.set(lane, [...(this.#lanes.get(lane) ?? []), id]);
  }

  /** The message that is told by this mark while it carries no number. */
  idOfMark(mark: Uint8Array): string | undefined {
    return this.#marks.get(hex(mark));
  }

  /** A key was let go on: what lay dead or parked of it until now is out of the way. */
  releasedPast(lane: string): void {
    for (const id of this.#lanes.get(lane) ?? []) if (this.#aside.has(id)) this.#passed.add(id);
  }

  began(beginning: Omit<Run, "state" | "startedAt">): Run {
    const { id, process, handOver, attempt, phase } = beginning;
    this.#world.trace.note(
      `${process.name} runs ${id}, attempt ${attempt}${phase === "half-open" ? ", as a probe" : ""}`,
    );
    if (attempt > this.#scenario.settings.maxAttempts) this.accuse(`attempt ${attempt} of ${id} is one too many`);
    if (handOver?.state === "settled") this.accuse(`${process.name} runs ${id}, which it had settled`);
    const twin = this.runs.find((run) => run.state === "running" && run.handOver === handOver);
    if (twin && handOver) this.accuse(`${process.name} runs ${id} twice at once`);
    const run: Run = { ...beginning, startedAt: this.#world.clock.now(), state: "running" };
    this.runs.push(run);
    if (this.runningIn(process).length > this.#scenario.settings.concurrency) {
      this.accuse(`${process.name} runs more handlers than ${this.#scenario.settings.concurrency} at once`);
    }
    // One that had to be charged first may have been let through a moment earlier.
    if (phase === "open" && !handOver?.isCharged) this.accuse(`${process.name} runs ${id} while its breaker is open`);
    if (phase === "half-open") this.#checkProbes();
    return run;
  }

  /** All workers together never make more probes at once than the breaker allows, as long as its store is there. */
  #checkProbes(): void {
    const { settings, faults } = this.#scenario;
    const { breaker } = settings;
    if (breaker === false || !breaker.isShared || !isReliable(faults, "state")) return;
    // A lease may have waited for a call for half of its time; and those let through before it last opened do not count.
    const since = this.#world.clock.now() - Math.min(breaker.probeLeaseMs / 2, breaker.recoveryMs);
    const probes = this.runs.filter((run) => run.phase === "half-open" && isAlive(run) && run.startedAt > since);
    if (probes.length <= breaker.probes) return;
    this.accuse(`${probes.map(({ id }) => id).join(" ")} are probes at once, ${breaker.probes} were allowed`);
  }

  ended(run: Run, state: Exclude<Run["state"], "running">): void {
    this.#world.trace.note(`${run.process.name} ${state} ${run.id}`);
    run.state = state;
  }

  /** How often a message of this key was begun, by whomever. */
  runsOf(key: string): number {
    return this.runs.filter(({ id }) => this.planned.get(id)?.key === key).length;
  }

  /** An attempt was given up because its consumer had to stop. It counts, and the message gets another. */
  interrupted(id: string): void {
    this.interruptions.set(id, (this.interruptions.get(id) ?? 0) + 1);
  }

  /** A dead letter could not be written. */
  onwardFailed(id: string): void {
    const now = this.#world.clock.now();
    const times = [...(this.onwardFailures.get(id) ?? []), now];
    this.onwardFailures.set(id, times);
    const recent = times.filter((at) => at > now - 1_000).length;
    if (recent > 3 * (this.stored.get(id) ?? 1))
      this.accuse(`${id} goes round: ${recent} failed dead letters in a second`);
  }

  /** Handlers at work, which their process still waits for. */
  runningIn(process: SimulatedProcess): readonly Run[] {
    return this.runs.filter((run) => run.process === process && run.state === "running");
  }

  /** Effects that stand from now on. */
  took(effects: readonly Effect[]): void {
    for (const { id, key } of effects) {
      this.#world.trace.note(`${id} has its effect`);
      this.#checkOrder(id);
      this.#succeeded.add(id);
      this.#keysWithEffect.add(key);
    }
    this.effects.push(...effects);
  }

  /** Everything sent earlier under the same ordering key must be out of the way. */
  #checkOrder(id: string): void {
    const { lane = null } = this.planned.get(id) ?? {};
    if (lane === null || this.#succeeded.has(id)) return;
    const inLane = this.#lanes.get(lane) ?? [];
    const overtaken = inLane.slice(0, inLane.indexOf(id)).find((earlier) => !this.isOutOfTheWay(earlier));
    if (overtaken !== undefined) this.accuse(`${id} overtook ${overtaken} in ${lane}`);
  }

  /** Nothing of its ordering key has to wait for it any more. */
  isOutOfTheWay(id: string): boolean {
    const { key = "", isKeyed = false } = this.planned.get(id) ?? {};
    const isSuppressed = isKeyed && this.#scenario.settings.inbox !== null && this.#keysWithEffect.has(key);
    return this.#succeeded.has(id) || this.#passed.has(id) || isSuppressed;
  }

  #setAside(id: string): void {
    this.#aside.add(id);
    this.deaths.set(id, (this.deaths.get(id) ?? 0) + 1);
  }

  /** Parked behind another of its key; or a copy of what is done with, which the next pass drops. */
  laneStanding(queue: string, message: Message): "waiting" | "copy" | null {
    const number = laneOf(queue, message);
    if (number === null) return null;
    return this.waitingNumbers.has(number) ? "waiting" : "copy";
  }
}

/** The number under which it was parked to keep order; it comes back by itself. */
export function laneOf(queue: string, { headers }: Message): number | null {
  return queue === queueNames.parked(workQueue) ? laneNumber(headers, workQueue) : null;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function isAlive({ state, process }: Run): boolean {
  return state === "running" && process.state !== "gone";
}

function reasonOf({ headers }: Message): string {
  const reason = headerText(headers, wire.reason);
  return reason === undefined ? "" : `: ${reason}`;
}
