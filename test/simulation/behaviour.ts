import { Park, RetryLater, Unprocessable } from "../../src/domain/handler-errors.ts";
import type { Dice } from "./dice.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

/** What a message does to the handler that gets it, the first `times` times it runs; afterwards it is no trouble. */
export interface Behaviour {
  readonly kind: BehaviourKind;
  /** Infinity: it never gets better, also when all other faults have stopped. */
  readonly times: number;
  /** How long the handler works before anything happens, in milliseconds. */
  readonly workMs: number;
  /** How long it stalls, or asks to be left alone, in milliseconds. */
  readonly waitMs: number;
}

export type BehaviourKind =
  | "succeed"
  /** Fails as networks do. */
  | "fail-transiently"
  /** Fails in a way nobody knows. */
  | "fail-strangely"
  | "unprocessable"
  | "retry-later"
  | "park"
  /** Never returns, and does not listen to its signal. */
  | "hang-deaf"
  /** Waits until it is told to stop. */
  | "hang"
  /** Takes its process with it. */
  | "kill"
  /** Blocks the event loop: nothing of its process runs meanwhile. */
  | "stall"
  /** Its body cannot be decoded: no handler should ever see it. */
  | "undecodable";

const weights: Readonly<Record<Exclude<BehaviourKind, "kill">, number>> = {
  succeed: 50,
  "fail-transiently": 16,
  "fail-strangely": 8,
  unprocessable: 4,
  "retry-later": 5,
  park: 2,
  "hang-deaf": 3,
  hang: 3,
  stall: 3,
  undecodable: 2,
};

export interface BehaviourLimits {
  readonly timeLimitMs: number;
  readonly leaseMs: number;
  /** Whether some may never get better. */
  readonly areSomeHopeless: boolean;
}

export function drawBehaviour(dice: Dice, limits: BehaviourLimits): Behaviour {
  const behaviour = drawAny(dice, limits);
  return isHopeless(behaviour) && !limits.areSomeHopeless ? { ...behaviour, kind: "succeed" } : behaviour;
}

function drawAny(dice: Dice, { timeLimitMs, leaseMs }: BehaviourLimits): Behaviour {
  const kind = dice.weighted(weights);
  const workMs = dice.chance(0.8) ? dice.between(0, 50) : dice.between(0, Math.floor(timeLimitMs * 0.8));
  const waitMs = kind === "stall" ? dice.between(100, leaseMs * 2) : dice.between(0, 3_000);
  return { kind, times: drawTimes(dice, kind), workMs, waitMs };
}

/** One that kills every process it meets, or only the first few. */
export function drawKiller(dice: Dice): Behaviour {
  return { kind: "kill", times: dice.chance(0.7) ? Infinity : 1, workMs: dice.between(0, 100), waitMs: 0 };
}

function drawTimes(dice: Dice, kind: BehaviourKind): number {
  const isForEver = ["unprocessable", "park", "undecodable"].includes(kind);
  const mayBeForEver = ["fail-transiently", "fail-strangely", "hang-deaf", "hang"].includes(kind);
  if (isForEver || (mayBeForEver && dice.chance(0.3))) return Infinity;
  return dice.between(1, 3);
}

/** Whether it is to be expected that this ends as a dead letter, even if nothing else goes wrong. */
export function isHopeless({ kind, times }: Behaviour): boolean {
  return times === Infinity && kind !== "succeed";
}

export interface Scene {
  readonly process: SimulatedProcess;
  readonly signal: AbortSignal;
  /** Whether the message has run its troubles out, or faults are over and those that can get better have. */
  readonly isTamed: boolean;
  /** The service every handler depends on answers. */
  readonly isDependencyUp: boolean;
}

/** Acts a message's behaviour out. Returning is success. */
export async function act({ kind, workMs, waitMs }: Behaviour, scene: Scene): Promise<void> {
  await work(scene.process, workMs);
  if (!scene.isDependencyUp && kind !== "kill") throw connectionRefused();
  if (scene.isTamed) return;
  switch (kind) {
    case "succeed":
      return;
    case "fail-transiently":
      throw connectionRefused();
    case "fail-strangely":
      throw new Error("This should never happen");
    case "unprocessable":
      throw new Unprocessable("The order was cancelled");
    case "retry-later":
      throw new RetryLater("Too many requests", { afterMs: waitMs });
    case "park":
      throw new Park("Until the customer is back");
    case "hang-deaf":
      return new Promise(() => {});
    case "hang":
      return untilAborted(scene.signal);
    case "kill":
      scene.process.crash("killed by its handler");
      return new Promise(() => {});
    case "stall":
      scene.process.standStill(waitMs);
      return work(scene.process, 0);
    case "undecodable":
      return;
  }
}

function work(process: SimulatedProcess, ms: number): Promise<void> {
  return new Promise((resolve) => process.later(ms, resolve));
}

function connectionRefused(): Error {
  return Object.assign(new Error("connect ECONNREFUSED 10.0.0.7:5432"), { code: "ECONNREFUSED" });
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
