import type { FailureKind } from "../domain/handler-errors.ts";
import { requireNumber, withDefaults } from "../domain/options.ts";

export interface PoisonOptions {
  /** A message that failed the same way this often is poison. Below 2, every failure would be. @default 3 */
  readonly sameFailures?: number;
  /** A message whose attempt ended without a result this often kills its consumers; 20 at most. @default 3 */
  readonly crashes?: number;
}

export const poisonDefaults: Required<PoisonOptions> = { sameFailures: 3, crashes: 3 };

/** What is read of an attempt in a message's history. */
export interface PastAttempt {
  /** It was charged, and nobody reported a result. */
  readonly started?: true;
  readonly kind?: FailureKind;
  /** The failure's signature. */
  readonly sig?: string;
  /** How often it failed this way so far, this time included: a long history is cut, and would forget. */
  readonly same?: number;
}

export type PoisonVerdict =
  | { readonly poison: false }
  | { readonly poison: true; readonly reason: "poison" | "crash_poison"; readonly count: number; readonly why: string };

const clean: PoisonVerdict = { poison: false };

/** Judges a message by its whole history, the attempt that just ended included. */
export type JudgePoison = (history: readonly PastAttempt[]) => PoisonVerdict;

export function createPoisonJudge(options?: PoisonOptions, where = "poison"): JudgePoison {
  const { sameFailures, crashes } = withDefaults(poisonDefaults, options, where);
  requireNumber(`${where}.sameFailures`, sameFailures, { min: 2, max: 1_000, integer: true });
  requireNumber(`${where}.crashes`, crashes, { min: 1, max: 20, integer: true });

  return (history) => {
    const crashed = countCrashes(history);
    if (crashed >= crashes) {
      const why = `${crashed} attempts ended without a result: their process died or stood still`;
      return { poison: true, reason: "crash_poison", count: crashed, why };
    }
    const alike = countAlike(history);
    if (alike < sameFailures) return clean;
    return { poison: true, reason: "poison", count: alike, why: `failed the same way ${alike} times` };
  };
}

/** Attempts that were charged and never reported a result. */
function countCrashes(history: readonly PastAttempt[]): number {
  let count = 0;
  for (const { started } of history) if (started) count++;
  return count;
}

/** How often the latest failure occurs in the history. A transient one says nothing about the message: it never counts. */
function countAlike(history: readonly PastAttempt[]): number {
  const latest = history.at(-1);
  if (latest?.sig === undefined || !counts(latest)) return 0;
  let count = 0;
  for (const past of history) if (past.sig === latest.sig && counts(past)) count++;
  return Math.max(count, latest.same ?? 0);
}

function counts({ started, kind }: PastAttempt): boolean {
  return !started && kind !== "transient";
}
