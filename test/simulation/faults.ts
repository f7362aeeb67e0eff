import type { Dice } from "./dice.ts";

/** What may go wrong with one call to something outside the process. */
export const callFaults = [
  /** Answered with an error; nothing was done. */
  "refused",
  /** Done, but the answer never came: the caller sees its connection cut. */
  "reply-lost",
  /** Never arrived; the caller sees its connection cut. */
  "lost",
  /** No answer at all until the connection is cut, long after. Done or not, by a coin. */
  "hung",
  /** The caller sees its connection cut and goes on; what it asked arrives long after. */
  "late",
  /** Done and answered, after seconds. */
  "slow",
] as const;

/** What may befall a whole process, or what the broker keeps. */
export const worldFaults = [
  "crash",
  "stop",
  "stand-still",
  "connection-cut",
  "outage",
  "lease-cut-short",
  "reordered",
  "hint-lost",
] as const;

export type CallFault = (typeof callFaults)[number];
export type FaultKind = CallFault | (typeof worldFaults)[number];

/** How one call goes. Times are milliseconds from the moment it was made. */
export interface Fate {
  readonly kind: CallFault | "ok";
  /** When what was asked is done; null: never. */
  readonly doneAfterMs: number | null;
  /** When the caller hears: of the result (after it is done), or of an error instead. */
  readonly answer: { readonly kind: "result" | "refused" | "cut"; readonly afterMs: number };
}

/** How likely each fault is, in one run. */
export interface FaultRates {
  /** Of a call, that anything goes wrong with it. */
  readonly perCall: number;
  readonly weights: Readonly<Record<CallFault, number>>;
  /** The longest that a call hangs, is late or slow, in milliseconds. */
  readonly longestMs: number;
}

export function drawFate(dice: Dice, rates: FaultRates): Fate {
  const [there, back] = [travelMs(dice), travelMs(dice)];
  if (!dice.chance(rates.perCall)) return fine(there, back);
  const kind = dice.weighted(rates.weights);
  const longMs = dice.between(500, rates.longestMs);
  switch (kind) {
    case "refused":
      return { kind, doneAfterMs: null, answer: { kind: "refused", afterMs: there } };
    case "reply-lost":
      return { kind, doneAfterMs: there, answer: { kind: "cut", afterMs: there + back } };
    case "lost":
      return { kind, doneAfterMs: null, answer: { kind: "cut", afterMs: there } };
    case "hung":
      return { kind, doneAfterMs: dice.chance(0.5) ? there : null, answer: { kind: "cut", afterMs: longMs } };
    case "late":
      return { kind, doneAfterMs: longMs, answer: { kind: "cut", afterMs: there } };
    case "slow":
      return { kind, doneAfterMs: dice.between(0, longMs), answer: { kind: "result", afterMs: longMs } };
  }
}

export function calmFate(dice: Dice): Fate {
  return fine(travelMs(dice), travelMs(dice));
}

function fine(there: number, back: number): Fate {
  return { kind: "ok", doneAfterMs: there, answer: { kind: "result", afterMs: there + back } };
}

/** Mostly the next moment, sometimes noticeably later: calls overtake each other. */
function travelMs(dice: Dice): number {
  return dice.chance(0.8) ? dice.between(0, 2) : dice.between(3, 40);
}
