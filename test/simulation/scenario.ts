import type { BackoffOptions } from "../../src/policies/backoff.ts";
import type { BudgetOptions } from "../../src/policies/budget.ts";
import type { PoisonOptions } from "../../src/policies/poison.ts";
import { type Behaviour, drawBehaviour, drawKiller } from "./behaviour.ts";
import { type Dice, seededDice } from "./dice.ts";
import { type CallFault, callFaults, type FaultRates } from "./faults.ts";
import type { Service } from "./network.ts";

/** A system of consumers, what it is given to do and what befalls it: all that a seed decides before time begins. */
export interface Scenario {
  readonly workers: number;
  /** The broker sends onward and acknowledges in one step. */
  readonly atomicMove: boolean;
  /** What waits for a retry keeps its place in its key. */
  readonly holdsBack: boolean;
  readonly settings: Settings;
  readonly messages: readonly PlannedMessage[];
  readonly faults: Faults;
}

/** How each worker's consumer is set up. */
export interface Settings {
  readonly concurrency: number;
  readonly prefetch: number;
  readonly order: "none" | "key";
  readonly timeLimitMs: number;
  readonly leaseMs: number;
  readonly drainMs: number;
  readonly returnDelayMs: number;
  readonly maxAttempts: number;
  readonly backoff: BackoffOptions & { readonly maxMs: number };
  readonly budget: Required<BudgetOptions> | false;
  readonly poison: Required<PoisonOptions>;
  readonly breaker: BreakerSettings | false;
  readonly whenOpen: "pause" | "delay" | "dead-letter";
  /** Null: duplicates are processed again. */
  readonly inbox: { readonly windowMs: number; readonly onDuplicate: "ignore" | "fail" | "merge" } | null;
}

export interface BreakerSettings {
  readonly failures: number;
  readonly recoveryMs: number;
  readonly successes: number;
  readonly probes: number;
  readonly probeLeaseMs: number;
  /** All workers share its state. */
  readonly isShared: boolean;
}

export interface PlannedMessage {
  /** One for each message sent: copies under one key have different ids. */
  readonly id: string;
  /** What copies of a message have in common. */
  readonly key: string;
  /** It carries the key. Otherwise no inbox can know it again. */
  readonly isKeyed: boolean;
  /** What order is kept by; null: by nothing. */
  readonly lane: string | null;
  readonly sendAtMs: number;
  readonly behaviour: Behaviour;
}

export interface Faults {
  /** When they stop. */
  readonly untilMs: number;
  readonly rates: Readonly<Record<Service, FaultRates>>;
  readonly leaseCutShort: number;
  /** Sudden ends, each of a worker of the moment's choice. */
  readonly crashes: readonly number[];
  /** Ends that were asked for: a deployment. */
  readonly stops: readonly number[];
  readonly standStills: readonly { readonly atMs: number; readonly forMs: number }[];
  readonly cuts: readonly { readonly atMs: number; readonly service: Service }[];
  readonly outages: readonly Outage[];
}

/** "dead-letters": only the queues that are not the work queue refuse. "dependency": what every handler calls is down. */
export interface Outage {
  readonly what: Service | "dead-letters" | "dependency";
  readonly atMs: number;
  readonly forMs: number;
}

/** Whether nothing at all goes wrong with this service. */
export function isReliable({ rates, cuts, outages }: Faults, service: Service): boolean {
  return (
    rates[service].perCall === 0 &&
    cuts.every((cut) => cut.service !== service) &&
    outages.every((outage) => outage.what !== service)
  );
}

export function drawScenario(seed: string): Scenario {
  const dice = seededDice(`${seed}/scenario`);
  const workers = dice.between(1, 4);
  const settings = drawSettings(dice);
  const faults = drawFaults(dice, settings);
  return {
    workers,
    atomicMove: dice.chance(0.5),
    holdsBack: dice.fork("holding back").chance(0.5),
    settings,
    messages: drawMessages(dice, settings, faults.untilMs),
    faults,
  };
}

function drawSettings(dice: Dice): Settings {
  const concurrency = dice.between(1, 6);
  return {
    concurrency,
    prefetch: concurrency * dice.between(1, 3),
    order: dice.chance(0.35) ? "key" : "none",
    timeLimitMs: dice.pick([500, 1_000, 3_000]),
    leaseMs: dice.pick([2_000, 5_000, 10_000]),
    drainMs: dice.pick([500, 2_000, 5_000]),
    returnDelayMs: 5_000,
    maxAttempts: dice.between(1, 6),
    backoff: drawBackoff(dice),
    budget: dice.chance(0.5)
      ? { ratio: dice.pick([0.1, 0.3]), floorPerSecond: dice.pick([0, 0.2, 1]), windowMs: 10_000 }
      : false,
    poison: { sameFailures: dice.between(2, 4), crashes: dice.between(2, 3) },
    breaker: dice.chance(0.5) ? drawBreaker(dice) : false,
    whenOpen: dice.weighted({ pause: 6, delay: 3, "dead-letter": 1 }),
    inbox: dice.chance(0.6)
      ? { windowMs: 3_600_000, onDuplicate: dice.weighted({ ignore: 8, fail: 1, merge: 1 }) }
      : null,
  };
}

function drawBackoff(dice: Dice): Settings["backoff"] {
  const maxMs = dice.pick([2_000, 10_000, 20_000]);
  const initialMs = dice.pick([50, 500, 1_000]);
  switch (dice.weighted({ exponential: 3, linear: 1, fixed: 1 })) {
    case "exponential":
      return {
        strategy: "exponential",
        initialMs,
        maxMs,
        jitter: dice.pick(["none", "full", "equal", "decorrelated"]),
      };
    case "linear":
      return { strategy: "linear", initialMs, stepMs: initialMs, maxMs };
    case "fixed":
      return { strategy: "fixed", delayMs: initialMs, maxMs };
  }
}

function drawBreaker(dice: Dice): BreakerSettings {
  return {
    failures: dice.between(2, 5),
    recoveryMs: dice.pick([1_000, 4_000, 8_000]),
    successes: dice.between(1, 2),
    probes: dice.between(1, 2),
    probeLeaseMs: dice.pick([4_000, 8_000]),
    isShared: dice.chance(0.7),
  };
}

/** Copies come late, but within the time for which the inbox remembers. */
function drawMessages(dice: Dice, settings: Settings, untilMs: number): PlannedMessage[] {
  const keys = dice.between(8, 50);
  const lanes = dice.between(1, 4);
  const areSomeHopeless = dice.chance(0.75);
  const killers = areSomeHopeless && dice.chance(0.3) ? dice.between(1, 2) : 0;
  return Array.from({ length: keys }, (_, index) => {
    const behaviour = index < killers ? drawKiller(dice) : drawBehaviour(dice, { ...settings, areSomeHopeless });
    const lane = settings.order === "key" && dice.chance(0.9) ? `lane-${dice.between(1, lanes)}` : null;
    const copies = dice.chance(0.25) ? dice.between(2, 3) : 1;
    const key = `key-${index + 1}`;
    const isKeyed = dice.chance(0.95);
    return Array.from({ length: copies }, (__, copy) => ({
      id: copies === 1 ? `m${index + 1}` : `m${index + 1}${"abc"[copy]}`,
      key,
      isKeyed,
      lane,
      sendAtMs: dice.between(0, untilMs),
      behaviour,
    }));
  }).flat();
}

function drawFaults(dice: Dice, { leaseMs, order }: Settings): Faults {
  const untilMs = dice.between(10, 60) * 1_000;
  const momentsOf = (some: Dice) => (most: number) =>
    Array.from({ length: some.between(0, most) }, () => some.between(0, untilMs));
  const moments = momentsOf(dice);
  const keyDice = dice.fork("troubles with keys");
  const keyMoments = order === "key" ? momentsOf(keyDice) : () => [];
  const rates = () => drawRates(dice, dice.pick([0, 0.02, 0.1, 0.25]));
  const services: readonly Service[] = ["broker", "inbox", "state"];
  return {
    untilMs,
    rates: { broker: rates(), inbox: rates(), state: rates(), keys: drawKeyRates(dice.fork("keys")) },
    leaseCutShort: dice.pick([0, 0, 0.05, 0.2]),
    crashes: moments(4),
    stops: moments(2),
    standStills: moments(4).map((atMs) => ({ atMs, forMs: dice.between(100, 3 * leaseMs) })),
    cuts: [
      ...moments(4).map((atMs) => ({ atMs, service: dice.pick(services) })),
      ...keyMoments(3).map((atMs) => ({ atMs, service: "keys" as const })),
    ],
    outages: [
      ...moments(4).map((atMs) => ({
        atMs,
        what: dice.pick([...services, "dead-letters", "dead-letters", "dependency", "dependency"] as const),
        forMs: dice.between(200, 10_000),
      })),
      ...keyMoments(2).map((atMs) => ({ atMs, what: "keys" as const, forMs: keyDice.between(200, 10_000) })),
    ],
  };
}

/** Of dice of their own: seeds without order go the way they always went. */
function drawKeyRates(dice: Dice): FaultRates {
  return drawRates(dice, dice.pick([0, 0.02, 0.1, 0.25]));
}

/** Some runs know one kind of fault only, and much of it: rare combinations come up sooner than by an even mixture. */
function drawRates(dice: Dice, perCall: number): FaultRates {
  const weights = Object.fromEntries(callFaults.map((kind) => [kind, dice.chance(0.6) ? dice.between(1, 5) : 0]));
  const isNone = Object.values(weights).every((weight) => weight === 0);
  return {
    perCall: isNone ? 0 : perCall,
    weights: weights as Record<CallFault, number>,
    longestMs: dice.pick([1_000, 5_000, 15_000]),
  };
}
