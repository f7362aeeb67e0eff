import { z } from "zod";
import type { Ledger } from "../../ledger/ledger.ts";
import { retentionDue } from "../../ledger/retention.ts";
import { readRetention } from "../../ledger/retention-turn.ts";
import { runAtOnce } from "../retention/standing-retention.ts";
import { operation } from "./operation.ts";

const keptWeeks = z.array(z.object({ week: z.string(), because: z.enum(["in replay", "busy"]) }));

/** When it ran last, what that came to, and when it runs next. */
export const retentionRuns = z.object({
  /** The last run that came to its end; null: none has. */
  last: z
    .object({
      ...{ at: z.string(), by: z.string(), expired: z.number() },
      /** Weeks that were removed as a whole, and the letters in them. */
      ...{ weeks: z.number(), letters: z.number() },
      /** Weeks that are past their time and stay for now. */
      kept: keptWeeks,
    })
    .nullable(),
  /** Null: as soon as a process with the duty intake looks. */
  nextAt: z.string().nullable(),
  isRunning: z.boolean(),
  /** Of all runs there ever were. */
  totals: z.object({ expired: z.number(), letters: z.number() }),
});

export async function retentionRunsOf(ledger: Ledger): Promise<z.output<typeof retentionRuns>> {
  const { last, ...state } = await readRetention(ledger);
  return { ...state, totals: { ...state.totals }, last: last && { ...last, kept: [...last.kept] } };
}

export const getRetention = operation({
  name: "retention.get",
  summary: "what is past its time: letters to expire, and weeks that would go; when it ran last and runs next",
  role: "viewer",
  input: z.object({}),
  output: z.object({
    retentionMs: z.number(),
    toExpire: z.number(),
    isAtLeast: z.boolean(),
    weeks: z.array(z.string()),
    runs: retentionRuns,
  }),
  async run({ ledger, clock, retentionMs }) {
    const due = await retentionDue(ledger, { now: clock.now(), retentionMs });
    return { ...due, weeks: [...due.weeks], retentionMs, runs: await retentionRunsOf(ledger) };
  },
});

export const applyRetentionNow = operation({
  name: "retention.apply",
  summary: "expires letters past their time, and lets whole weeks of ended letters go",
  role: "admin",
  input: z.object({}),
  output: z.object({
    expired: z.number(),
    dropped: z.array(z.object({ week: z.string(), letters: z.number() })),
    kept: keptWeeks,
  }),
  async run(office, _input, actor) {
    const { expired, dropped, kept } = await runAtOnce(office, actor);
    return { expired, dropped: dropped.map(({ week, letters }) => ({ week, letters })), kept: [...kept] };
  },
});
