import { categories } from "../../domain/classification.ts";
import { workingConsumers } from "../../ledger/consumers.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import {
  type ClearedCategory,
  clearedByCategory,
  namesOfQueues,
  type RuleRecord,
  ruleRecords,
} from "../../ledger/search/past-outcomes.ts";
import { type ReturnDelay, returnDelays } from "../../ledger/search/return-delays.ts";
import { noFacts } from "../../triage/conditions/letter-facts.ts";
import type { PolicyInForce } from "../policy/policy-in-force.ts";
import { longestOf } from "../replay/settle-window.ts";
import { leastReturns, type SettleWindow } from "./insight-words.ts";

export interface Insights {
  readonly cleared: readonly ClearedCategory[];
  readonly rules: readonly RuleRecord[];
  readonly delays: readonly (ReturnDelay & { readonly window: SettleWindow })[];
}

interface InsightsAsked {
  readonly ledger: Ledger;
  readonly policy: PolicyInForce;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** Shared by all queues, so that a busy office is not read whole; each gives at least some. */
const lettersLooked = 20_000;
const leastPerQueue = 50;
const returnsPerQueue = 1_000;

/** How good the sorting is, how long things take, and how long returns do: of a bounded number of the latest letters. */
export async function makeInsights({ ledger, policy, since }: InsightsAsked): Promise<Insights> {
  const queues = await namesOfQueues(ledger);
  const perQueue = Math.max(leastPerQueue, Math.floor(lettersLooked / Math.max(1, queues.length)));
  const asked = { since, queues, perQueue };
  const [cleared, rules, returned] = [
    await clearedByCategory(ledger, asked),
    await ruleRecords(ledger, asked),
    await returnDelays(ledger, { ...asked, perQueue: returnsPerQueue }),
  ];
  const working = await workingConsumers(
    ledger,
    returned.map(({ queue }) => queue),
  );
  const delays = returned.map((delay) => {
    const consumers = working.get(`${delay.source}/${delay.queue}`) ?? [];
    return { ...delay, window: windowOf(delay, leastSettleS(policy, delay), consumers) };
  });
  return { cleared, rules, delays };
}

/** The answer is for all who see these queues: what an override says of some of them is left aside. */
const anybody = { n: 1, actor: { id: "", roles: [], kind: "human" } };

/** The shortest that any letter of the queue could be watched for. */
function leastSettleS({ protocolFor }: PolicyInForce, { source, queue }: ReturnDelay): number {
  const sent = categories
    .map((category) => protocolFor({ ...noFacts, category, source, queue }, anybody))
    .filter(({ allows }) => allows !== "never");
  return Math.min(...sent.map(({ settleS }) => settleS));
}

/** Who fails slower than any before would still be seen. */
const margin = 1.5;
const roundToS = 30;

function windowOf(
  { returns, p99S }: ReturnDelay,
  policyS: number,
  consumers: readonly { readonly retryHorizonS: number }[],
): SettleWindow {
  const inForceS = longestOf(policyS, consumers, { longestInPlan: 0, usualReturn: p99S });
  const suggestedS =
    returns < leastReturns ? null : Math.max(roundToS, roundToS * Math.ceil((margin * p99S) / roundToS));
  return { policyS, inForceS, suggestedS };
}
