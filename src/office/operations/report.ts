import { z } from "zod";
import { makeReport } from "../report/make-report.ts";
import { type ReportFacts, reportInWords } from "../report/report-words.ts";
import { groupSummary } from "./letter-shapes.ts";
import { operation } from "./operation.ts";

const count = z.number();
const reportedGroup = groupSummary
  .pick({
    ...{ id: true, title: true, source: true, queue: true, category: true, open: true, total: true },
    ...{ firstFailedAt: true, lastFailedAt: true },
  })
  .extend({ failed: count, nextStep: z.object({ label: z.string() }) });

export const getReport = operation({
  name: "report.get",
  summary:
    "a shift in figures and in words: what failed, what is open, what was sent and decided, for whoever takes over",
  role: "viewer",
  isScoped: true,
  input: z.object({
    sinceS: z
      .number()
      .min(60)
      .max(31 * 86_400)
      .default(28_800),
  }),
  output: z.object({
    /** The beginning of the hour that so long ago was in. */
    since: z.string(),
    until: z.string(),
    /** All of it in words, to be pasted. */
    text: z.string(),
    failed: count,
    open: count,
    openGroups: count,
    oldestOpenAt: z.string().nullable(),
    /** In the order of the inbox, the first twenty. */
    groups: z.array(reportedGroup),
    replays: z.array(
      z.object({
        ...{ id: z.string(), name: z.string(), state: z.string(), verdict: z.string().nullable() },
        ...{ requestedBy: z.string(), toSend: count, sent: count, confirmed: count, presumed: count, returned: count },
      }),
    ),
    breakers: z.array(z.object({ name: z.string(), place: z.string(), since: z.string() })),
    stopped: z.object({ by: z.string(), at: z.string(), reason: z.string().nullable() }).nullable(),
    /** What people decided since, the latest first. */
    deeds: z.array(z.object({ action: z.string(), by: z.string(), n: count })),
  }),
  async run({ ledger, clock, retentionMs, replay: { policy } }, { sinceS }, { id: actor }) {
    const asked = { now: clock.now(), sinceMs: sinceS * 1_000, retentionMs, actor, policy };
    const report = await makeReport(ledger, asked);
    return { ...shown(report), text: reportInWords(report) };
  },
});

function shown({ since, until, groups, replays, breakers, deeds, ...report }: ReportFacts) {
  return {
    ...report,
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    groups: groups.map(shownGroup),
    replays: [...replays],
    breakers: [...breakers],
    deeds: [...deeds],
  };
}

function shownGroup({ nextStep: { label }, ...group }: ReportFacts["groups"][number]) {
  const { id, title, source, queue, category, open, total, firstFailedAt, lastFailedAt, failed } = group;
  const facts = { id, title, source, queue, category, open, total, firstFailedAt, lastFailedAt, failed };
  return { ...facts, nextStep: { label } };
}
