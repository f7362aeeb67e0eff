import type { Actor } from "../../domain/actor.ts";
import { type Chore, chore } from "../chore.ts";
import type { LettersAtHand } from "../policy/judge-anew.ts";
import { regroup } from "./regroup.ts";

/** How often it looks whether letters have to follow a merge or a split, in milliseconds. */
const lookMs = 1_000;

/** Lets letters follow whatever is merged and split, for as long as the office runs. Every process may do so at once. */
export function standingRegrouping(office: LettersAtHand, actor: Actor): Chore {
  const act = (signal: AbortSignal) => regroup(office, { actor, signal });
  return chore({ name: "regrouping", everyMs: lookMs, clock: office.clock, act });
}
