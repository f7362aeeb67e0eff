import { matchesName } from "./name-pattern.ts";

/** Who does something. Every operation is told, and the audit log remembers. */
export interface Actor {
  readonly id: string;
  readonly roles: readonly Role[];
  /** "demo": made up, in a demonstration; nowhere else may it approve anything. */
  readonly kind: "human" | "agent" | "system" | "demo";
  /** What they may be, and where. @default what `roles` say, everywhere */
  readonly grants?: readonly Grant[];
  /** The token it came with; without one it is somebody at a keyboard, or the office itself. */
  readonly token?: ActorToken;
}

/** A role, and the queues in which it holds. */
export interface Grant {
  readonly is: Role;
  /** `source/queue`; `*` stands for any characters. */
  readonly queues: readonly string[];
  /** May see what is masked there. */
  readonly reveals: boolean;
}

export interface ActorToken {
  readonly id: string;
  /** What it may be used for; null: whatever its owner may. */
  readonly operations: readonly string[] | null;
  /** Where it may be used, as patterns; null: wherever its owner may. @default null */
  readonly queues?: readonly string[] | null;
}

/** What somebody may do, from least to most; each includes those before it. */
export const roles = ["viewer", "operator", "approver", "admin"] as const;

export type Role = (typeof roles)[number];

/**
 * The queues that something is about, as lists of patterns for `source/queue` in which `*` stands for any characters: of each
 * list one must match. No list at all is everywhere; a list without patterns is nowhere.
 */
export type Scope = readonly (readonly string[])[];

export const everywhere: Scope = [];

/** The queues in which somebody is at least that, cut to those of the token they came with. */
export function scopeOf(actor: Actor, least: Role): Scope {
  return scopeBy(actor, ({ is }) => roles.indexOf(is) >= roles.indexOf(least));
}

/** The queues whose letters somebody may see unmasked. */
export function revealScopeOf(actor: Actor): Scope {
  return scopeBy(actor, ({ reveals }) => reveals);
}

export function isNowhere(scope: Scope): boolean {
  return scope.some((patterns) => patterns.length === 0);
}

export function isInScope(scope: Scope, source: string, queue: string): boolean {
  return isPatternInScope(scope, `${source}/${queue}`);
}

/** Whether all that fits a pattern is in scope: only a star of the scope stands for a star of the pattern. */
export function isPatternInScope(scope: Scope, pattern: string): boolean {
  return scope.every((patterns) => patterns.some((each) => matchesName(each, pattern)));
}

function scopeBy(actor: Actor, counts: (grant: Grant) => boolean): Scope {
  const granted = grantsOf(actor).filter(counts);
  const lists = [granted.flatMap(({ queues }) => queues), actor.token?.queues ?? ["*"]];
  return lists.filter((patterns) => !patterns.includes("*")).map((patterns) => [...new Set(patterns)]);
}

function grantsOf({ roles: own, grants }: Actor): readonly Grant[] {
  return grants ?? own.map((is) => ({ is, queues: ["*"], reveals: is === "admin" }));
}
