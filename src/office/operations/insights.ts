import { z } from "zod";
import { categories } from "../../domain/classification.ts";
import type { Clock } from "../../domain/clock.ts";
import { clearedInWords, delayInWords, rulesInWords } from "../insights/insight-words.ts";
import { makeInsights } from "../insights/make-insights.ts";
import { operation } from "./operation.ts";

const count = z.number();
const seconds = z.number();
const dayMs = 86_400_000;

/** In milliseconds since 1970. */
export function daysAgo(clock: Clock, days: number): number {
  return clock.now() - days * dayMs;
}

export const insightDays = z.int().min(1).max(90).default(30);

export const getInsights = operation({
  name: "insights.get",
  summary:
    "of letters that arrived lately: how long until they were decided, how often each rule was right, how long returns took",
  role: "viewer",
  isScoped: true,
  isShared: true,
  input: z.object({ days: insightDays }),
  output: z.object({
    since: z.string(),
    /** False: of some queue only the latest letters were looked at. */
    isExact: z.boolean(),
    cleared: z.object({
      sentence: z.string(),
      items: z.array(
        z.object({
          ...{ category: z.enum(categories), letters: count, open: count },
          ...{ resolved: count, dropped: count, compensated: count, escalated: count },
          /** From arrival until it was decided, of those that were. */
          ...{ medianS: seconds.nullable(), p90S: seconds.nullable() },
        }),
      ),
    }),
    classifier: z.object({
      sentence: z.string(),
      items: z.array(
        z.object({ rule: z.string(), letters: count, overridden: count, confirmed: count, contradicted: count }),
      ),
    }),
    returns: z.array(
      z.object({
        ...{ source: z.string(), queue: z.string(), returns: count, p50S: seconds, p90S: seconds, p99S: seconds },
        /** What the policy asks for at least, what is waited as things are, and what would do. */
        window: z.object({ policyS: seconds, inForceS: seconds, suggestedS: seconds.nullable() }),
        sentence: z.string(),
      }),
    ),
  }),
  async run({ ledger, clock, replay }, { days }) {
    const since = daysAgo(clock, days);
    const found = await makeInsights({ ledger, policy: await replay.policy(), since });
    const { cleared, rules, delays } = found;
    return {
      since: new Date(since).toISOString(),
      isExact: cleared.every(({ isExact }) => isExact),
      cleared: {
        sentence: clearedInWords(cleared, days),
        items: cleared.map(({ isExact: _, ...each }) => each),
      },
      classifier: { sentence: rulesInWords(rules), items: [...rules] },
      returns: delays.map((delay) => ({
        ...{ ...delay, window: { ...delay.window } },
        sentence: delayInWords(delay, delay.window),
      })),
    };
  },
});
