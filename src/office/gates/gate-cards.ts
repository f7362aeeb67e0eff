import type { Category } from "../../domain/classification.ts";
import type { TrippedBreaker } from "../../ledger/breakers.ts";
import type { SidesOfGate } from "../../ledger/group-gates.ts";
import { describeReason, type Reason } from "../replay/reasons.ts";
import type { GateFacts, GateOpener } from "./gate.ts";
import { atWorkInWords, openerName, schemaName, sidesInWords } from "./gate-words.ts";
import { goesBack, type StepFacts } from "./group-step.ts";

/** One gate of a group, for people. */
export interface GateCard {
  readonly kind: "breaker" | "deploy" | "fix";
  /** Which breaker it is; null where it is none. */
  readonly breaker: string | null;
  readonly isOpen: boolean;
  /** What its letters wait for, or waited for. */
  readonly waitsFor: string;
  /** What is seen of that now. */
  readonly sees: string;
  /** Since when, ISO 8601; null where nobody can say. */
  readonly since: string | null;
  /** What opens it; empty where it is open. */
  readonly opens: string;
}

/** All gates that its letters have to pass, what its category asks for first. */
export function gateCards(category: Category, { gate, facts, sides }: StepFacts): readonly GateCard[] {
  if (!goesBack(category)) return [];
  const own =
    gate.kind === "none" ? [] : [gate.kind === "shut" ? shutCard(gate.reason, facts) : openCard(gate.by, sides, facts)];
  return [...own, ...facts.tripped.map(trippedCard), ...closedCards(facts)];
}

function shutCard(reason: Reason, facts: GateFacts): GateCard {
  const shut = { breaker: null, isOpen: false, opens: describeReason(reason).change };
  if (reason.code === "fix.missing") {
    return {
      ...shut,
      kind: "fix",
      waitsFor: "A fix of the bug that they trip",
      sees: "None is recorded.",
      since: null,
    };
  }
  return { ...shut, ...deployWords(facts), kind: "deploy", since: iso(firstSeenOf(facts)) };
}

function deployWords(facts: GateFacts): Pick<GateCard, "waitsFor" | "sees"> {
  return { waitsFor: `A consumer that reads ${schemaName(facts.schema)}`, sees: atWorkInWords(facts) };
}

/** Since when what is at work is what it is. */
function firstSeenOf({ working, recorded }: GateFacts): number | null {
  const seen = working.map(({ versionSeenAt }) => versionSeenAt);
  return seen.length > 0 ? Math.max(...seen) : (recorded[0]?.deployedAt ?? null);
}

function openCard(by: GateOpener, sides: SidesOfGate | null, facts: GateFacts): GateCard {
  const { after, before, unknown } = sides ?? { after: 0, before: 1, unknown: 0 };
  const isOpen = after === 0 || before + unknown > 0;
  const told = sidesInWords(by, sides);
  const code = by.kind === "fix" ? ("fix.arrived_after" as const) : ("deploy.arrived_after" as const);
  const words =
    by.kind === "fix"
      ? { waitsFor: "A fix of the bug that they trip", sees: `${openerName(by)} is recorded.` }
      : deployWords(facts);
  const reason: Reason =
    code === "fix.arrived_after"
      ? { code, fix: openerName(by), fixedAt: by.at }
      : { code, service: openerName(by), deployedAt: by.at };
  return {
    ...{
      kind: by.kind,
      breaker: null,
      isOpen,
      waitsFor: words.waitsFor,
      sees: `${words.sees}${told}`,
      since: iso(by.at),
    },
    opens: after > 0 ? describeReason(reason).change : "",
  };
}

function trippedCard({ name, state, since }: TrippedBreaker): GateCard {
  const isTrying = state === "half-open";
  return {
    ...{ kind: "breaker", breaker: name, isOpen: false, waitsFor: `Breaker ${name} to close`, since: iso(since) },
    sees: isTrying ? "It is half-open: what goes now is a trial." : "It is open: what it needs is down.",
    opens: isTrying
      ? "It closes by itself once its trials succeed."
      : describeReason({ code: "breaker.open", breaker: name, since }).change,
  };
}

/** The one that closed last; of one that some processes still have open, that is told. */
function closedCards({ tripped, closed }: GateFacts): readonly GateCard[] {
  const again = closed.filter(({ name }) => !tripped.some((each) => each.name === name));
  const [latest] = again.toSorted((a, b) => b.closedAt - a.closedAt);
  if (latest === undefined) return [];
  const { name: breaker, closedAt } = latest;
  const words = { waitsFor: `Breaker ${breaker} to close`, sees: "It is closed again." };
  return [{ ...words, kind: "breaker", breaker, isOpen: true, since: iso(closedAt), opens: "" }];
}

function iso(ms: number): string;
function iso(ms: number | null): string | null;
function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
