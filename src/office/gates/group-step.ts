import type { Category } from "../../domain/classification.ts";
import type { TrippedBreaker } from "../../ledger/breakers.ts";
import type { SidesOfGate } from "../../ledger/group-gates.ts";
import type { GroupSummary } from "../../ledger/search/find-groups.ts";
import { describeReason, type Reason } from "../replay/reasons.ts";
import type { Gate, GateFacts, GateOpener } from "./gate.ts";
import { atWorkInWords, minuteOf, openerName, schemaName, sidesInWords } from "./gate-words.ts";

/** Every next step there is about a group. Those that end in `wait` are nobody's to take. */
export const groupStepCodes = [
  ...(["replay.plan", "replay.trial", "breaker.wait", "deploy.wait", "deploy.record", "fix.record"] as const),
  ...(["decide.each", "decide.drop", "classify"] as const),
] as const;

export type GroupStepCode = (typeof groupStepCodes)[number];

/** The one next step about a group. */
export interface GroupStep {
  /** Stable, for programs. */
  readonly code: GroupStepCode;
  /** For people, in a few words. */
  readonly label: string;
  /** Why it is this one: what it waits for and what is seen of that now. */
  readonly sentence: string;
  /** What would change it; empty where it can be taken. */
  readonly change: string;
}

/** What a step follows from, besides the group itself. */
export interface StepFacts {
  readonly gate: Gate;
  readonly facts: GateFacts;
  /** Its open letters by when they failed, as far as they were looked at; null: none had to be. */
  readonly sides: SidesOfGate | null;
}

type Stepped = Pick<GroupSummary, "category">;

/** What its category and the gates allow at this moment. The plan judges each letter again, and knows more. */
export function groupStep(group: Stepped, known: StepFacts): GroupStep {
  const step = stepByGate(group, known);
  const [worst] = known.facts.tripped.toSorted((a, b) => severity(b) - severity(a));
  return step.code !== "replay.plan" || worst === undefined ? step : behindBreaker(worst, step);
}

const severity = ({ state }: TrippedBreaker) => (state === "open" ? 1 : 0);

function stepByGate({ category }: Stepped, known: StepFacts): GroupStep {
  switch (category) {
    case "transient":
      return transientStep(known.facts);
    case "schema_mismatch":
    case "poison":
      return gatedStep(known);
    case "business_rule":
      return {
        ...{ code: "decide.each", label: "decide one by one", change: "" },
        sentence: "A rule of the business refused them: each is decided on its own.",
      };
    case "lost_context":
      return {
        ...{ code: "decide.drop", label: "drop or escalate", change: "" },
        sentence: "What they were about is gone: they never go back.",
      };
    case "unknown":
      return {
        ...{ code: "classify", label: "look at one, say what it is", change: "" },
        sentence: "What went wrong is not known, and what may be done follows from that.",
      };
  }
}

function transientStep({ closed }: GateFacts): GroupStep {
  const latest = closed.toSorted((a, b) => b.closedAt - a.closedAt)[0];
  const sentence =
    latest === undefined
      ? "No breaker of their queue is known to be open."
      : `Breaker ${latest.name} has been closed again since ${minuteOf(latest.closedAt)}.`;
  return { code: "replay.plan", label: "plan a replay", sentence, change: "" };
}

function gatedStep({ gate, facts, sides }: StepFacts): GroupStep {
  if (gate.kind === "shut") return shutStep(gate.reason, facts);
  if (gate.kind === "none") return transientStep(facts);
  return sides !== null && sides.after > 0 && sides.before + sides.unknown === 0
    ? notHelpedStep(gate.by)
    : openStep(gate.by, sides, facts);
}

function shutStep(reason: Reason, facts: GateFacts): GroupStep {
  const { change } = describeReason(reason);
  const schema = schemaName(facts.schema);
  switch (reason.code) {
    case "fix.missing": {
      const sentence = "They trip a bug in their consumer, and no fix of it is recorded.";
      return { code: "fix.record", label: "fix the handler, record the fix", sentence, change };
    }
    case "deploy.unrecorded": {
      const sentence = `Only ${reason.service} itself reports that it reads ${schema}, and the policy takes only a recorded deploy for proof.`;
      return { code: "deploy.record", label: `record the deploy of ${reason.service}`, sentence, change };
    }
    default: {
      const sentence = `They wait for a consumer that reads ${schema}. ${atWorkInWords(facts)}`;
      return { code: "deploy.wait", label: `wait for a consumer that reads ${schema}`, sentence, change };
    }
  }
}

function openStep(by: GateOpener, sides: SidesOfGate | null, facts: GateFacts): GroupStep {
  const name = openerName(by);
  const opened =
    by.kind === "fix"
      ? `${name} is recorded as their fix since ${minuteOf(by.at)}.`
      : `${name} reads ${schemaName(facts.schema)} since ${minuteOf(by.at)}.`;
  const label = by.kind === "fix" ? `plan a replay of those older than ${name}` : `plan a replay: ${name} reads them`;
  return { code: "replay.plan", label, sentence: `${opened}${sidesInWords(by, sides)}`, change: "" };
}

/** All of them failed with it in place. */
function notHelpedStep(by: GateOpener): GroupStep {
  const name = openerName(by);
  if (by.kind === "fix") {
    const sentence = `All that are open failed after ${name}, recorded for ${minuteOf(by.at)}: proof that it does not cover every case.`;
    const { change } = describeReason({ code: "fix.arrived_after", fix: name, fixedAt: by.at });
    return { code: "fix.record", label: `${name} did not cover them: record another fix`, sentence, change };
  }
  const sentence = `All that are open failed after ${name} went live at ${minuteOf(by.at)}: that deploy did not help them.`;
  const { change } = describeReason({ code: "deploy.arrived_after", service: by.service, deployedAt: by.at });
  return { code: "deploy.wait", label: `wait: they failed after ${name} too`, sentence, change };
}

function behindBreaker({ name, state, since }: TrippedBreaker, { sentence }: GroupStep): GroupStep {
  const reason = { breaker: name, since };
  if (state === "open") {
    const { sentence: opened, change } = describeReason({ code: "breaker.open", ...reason });
    return { code: "breaker.wait", label: `wait: breaker ${name} is open`, sentence: opened, change };
  }
  return {
    ...{ code: "replay.trial", label: `plan a trial: breaker ${name} is half-open` },
    sentence: `Breaker ${name} is trying since ${minuteOf(since)} whether its dependency is back: what goes now is a trial. ${sentence}`,
    change: "It closes by itself once its trials succeed.",
  };
}

/** Its gate was shut and is open: by category it had one, and now its letters may be planned. */
export function isUnblocked({ category }: Stepped, { code }: GroupStep): boolean {
  return (
    (category === "schema_mismatch" || category === "poison") && (code === "replay.plan" || code === "replay.trial")
  );
}

/** Whether letters of it may go back together, which is when breakers matter. */
export function goesBack(category: Category): boolean {
  return category === "transient" || category === "schema_mismatch" || category === "poison";
}

/** Nobody can do anything but wait. */
export function isBlocked({ code }: GroupStep): boolean {
  return code === "breaker.wait" || code === "deploy.wait";
}
