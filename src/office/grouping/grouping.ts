import { changesInForce, type GroupChange } from "../../ledger/group-changes.ts";
import { type Condition, compileCondition } from "../../triage/conditions/condition.ts";
import type { LetterFacts } from "../../triage/conditions/letter-facts.ts";

/** Where letters belong by what people merged and split. Groups are UUIDs. */
export interface Grouping {
  /** The last change that it knows; 0 where there is none. */
  readonly version: number;
  /** Groups that some change is about, also one that was taken back: only letters in these may have to move. */
  readonly concerned: readonly string[];
  /** Whether the place of a letter of that queue and failure depends on what else is known of it. */
  isSplit(natural: string): boolean;
  /** The group of a letter whose queue and failure alone would put it into `natural`. */
  place(natural: string, facts: () => LetterFacts): string;
}

interface Step {
  readonly group: string;
  readonly into: string;
  /** Null: all of them go. */
  readonly condition: Condition | null;
}

/** Each change looks at where those before it have put a letter: a split is of what was in the group when it was made. */
export function groupingOf(changes: readonly GroupChange[]): Grouping {
  const steps = changesInForce(changes).map(
    ({ group, into, condition }): Step => ({
      ...{ group, into, condition: condition === null ? null : compileCondition(condition) },
    }),
  );
  return {
    version: changes.at(-1)?.version ?? 0,
    concerned: [...new Set(changes.flatMap(({ group, into }) => [group, into]))].sort(),
    isSplit: (natural) => reach(steps, natural),
    place(natural, facts) {
      let now = natural;
      for (const { group, into, condition } of steps) {
        if (group === now && (condition === null || condition.holds(facts()))) now = into;
      }
      return now;
    },
  };
}

/** Whether a letter that begins there comes by a condition. */
function reach(steps: readonly Step[], natural: string): boolean {
  let now = natural;
  for (const { group, into, condition } of steps) {
    if (group !== now) continue;
    if (condition !== null) return true;
    now = into;
  }
  return false;
}
