import type { Random } from "../domain/clock.ts";
import { isRefusal } from "../domain/errors.ts";
import type { Claimed } from "./outbox-table.ts";

export interface FailurePolicy {
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
  readonly maxRefusals: number;
  readonly random: Random;
}

export interface FailedSend {
  readonly outcome: "failed" | "refused" | "set aside";
  readonly delayMs: number;
}

/** What becomes of a message whose send failed. Only refusals count towards setting aside: an outage is not its fault. */
export function judgeFailure(error: unknown, { tries, refusals: before }: Claimed, policy: FailurePolicy): FailedSend {
  const refused = isRefusal(error);
  if (refused && before + 1 >= policy.maxRefusals) return { outcome: "set aside", delayMs: 0 };
  const ceiling = Math.min(policy.maxRetryMs, policy.firstRetryMs * 2 ** Math.min(tries, 30));
  // Half of it by chance, lest all that failed together come again together.
  const delayMs = Math.round(ceiling * (0.5 + policy.random() / 2));
  return { outcome: refused ? "refused" : "failed", delayMs };
}
