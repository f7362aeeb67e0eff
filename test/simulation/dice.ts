import type { Random } from "../../src/domain/clock.ts";
import { seededRandom } from "../../src/simulate/random.ts";

/** Chance that can be repeated: the same seed rolls the same numbers, on any machine. */
export interface Dice {
  /** A number in [0, 1). */
  readonly roll: Random;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** A whole number, both ends included. */
  between(min: number, max: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** One of the names, each as likely as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
  /** In some order. */
  shuffle<Item>(items: readonly Item[]): Item[];
  /** Dice of their own for one purpose: rolling more of these does not change what others roll. */
  fork(purpose: string): Dice;
}

export function seededDice(seed: string): Dice {
  const roll = seededRandom(seed);
  return {
    roll,
    chance: (probability) => roll() < probability,
    between: (min, max) => min + Math.floor(roll() * (max - min + 1)),
    pick: (items) => pickFrom(items, roll()),
    weighted: (weights) => pickWeighted(weights, roll()),
    shuffle: (items) =>
      items
        .map((item) => ({ item, rank: roll() }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ item }) => item),
    fork: (purpose) => seededDice(`${seed}/${purpose}`),
  };
}

function pickFrom<Item>(items: readonly Item[], roll: number): Item {
  const item = items[Math.floor(roll * items.length)];
  if (item === undefined) throw new RangeError("There is nothing to pick from.");
  return item;
}

function pickWeighted<Name extends string>(weights: Readonly<Record<Name, number>>, roll: number): Name {
  const entries = Object.entries(weights) as [Name, number][];
  let rest = roll * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    rest -= weight;
    if (rest < 0) return name;
  }
  throw new RangeError("Every weight is 0.");
}
