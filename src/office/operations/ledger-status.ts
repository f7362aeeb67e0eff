import { z } from "zod";
import { readBacklog, readSchemaVersion, readSizes, readWeeks } from "../../ledger/ledger-size.ts";
import { readRegrouping } from "../../ledger/regrouping.ts";
import { retentionEveryMs } from "../retention/run-retention.ts";
import { operation } from "./operation.ts";
import { retentionRuns, retentionRunsOf } from "./retention.ts";

const dayMs = 86_400_000;
const littleFree = 1e9;
/** A notifier that is told in turn is seconds behind. */
const lateMs = 5 * 60_000;
/** Tables shown by themselves. */
const shownTables = 12;

export const getLedgerStatus = operation({
  name: "status.ledger",
  summary: "how large the ledger is and how it grows, what leaves it next, and what waits in it to be done",
  role: "viewer",
  isShared: true,
  input: z.object({}),
  output: z.object({
    /** The last migration that was applied. */
    schema: z.number(),
    bytes: z.number(),
    /** The largest tables, with their indexes; weeks of one together. */
    tables: z.array(
      z.object({
        table: z.string(),
        bytes: z.number(),
        grew: z.object({ bytes: z.number(), overDays: z.number() }).nullable(),
      }),
    ),
    /** Where the ledger is embedded. */
    freeBytes: z.number().nullable(),
    /** Letters are kept by the week. */
    weeks: z.object({
      n: z.number(),
      /** The first day of the one that goes next, and from when on; null where there is none. */
      next: z.object({ week: z.string(), from: z.string() }).nullable(),
    }),
    /** How long letters are kept, and how retention goes by itself. */
    retention: retentionRuns.extend({ keptMs: z.number() }),
    /** Merges and splits that letters have not followed yet. */
    regroupingBehind: z.number(),
    notifiers: z.array(z.object({ name: z.string(), behind: z.number(), since: z.string().nullable() })),
    troubles: z.array(z.object({ code: z.string(), sentence: z.string(), change: z.string() })),
  }),
  async run({ ledger, self, retentionMs, clock, notifiers }) {
    const tables = await readSizes(ledger);
    const weeks = await readWeeks(ledger);
    const { version, placedVersion } = await readRegrouping(ledger);
    const facts = {
      ...{ bytes: tables.reduce((sum, each) => sum + each.bytes, 0), schema: await readSchemaVersion(ledger) },
      freeBytes: await self.freeBytes(),
      weeks: { n: weeks.length, next: nextOf(weeks, retentionMs) },
      retention: { ...(await retentionRunsOf(ledger)), keptMs: retentionMs },
      regroupingBehind: Math.max(0, version - placedVersion),
      notifiers: (
        await readBacklog(
          ledger,
          notifiers.map(({ name }) => name),
        )
      ).map((each) => ({ ...each })),
    };
    const shown = tables.slice(0, shownTables).map((each) => ({ ...each, grew: each.grew && { ...each.grew } }));
    return { ...facts, tables: shown, troubles: troublesOf(facts, clock.now()) };
  },
});

/** A week goes when its last letter is past its time. */
function nextOf([week]: readonly string[], retentionMs: number) {
  if (week === undefined) return null;
  return { week, from: new Date(Date.parse(week) + 7 * dayMs + retentionMs).toISOString() };
}

interface Facts {
  readonly freeBytes: number | null;
  readonly weeks: { readonly next: { readonly week: string; readonly from: string } | null };
  readonly retention: z.output<typeof retentionRuns>;
  readonly notifiers: readonly { readonly name: string; readonly since: string | null }[];
}

/** Runs that much later than they are due say that no process runs it. */
const overdueMs = 2 * retentionEveryMs;

function retentionTroubles({ weeks: { next }, retention: { last, nextAt } }: Facts, now: number) {
  const kept = (last?.kept ?? []).map(({ week, because }) => ({
    code: "retention.kept",
    sentence: `The letters of the week of ${week} are past their time and stay: ${keptBecause[because]}.`,
    change:
      "Retention tries again within an hour. End replays that you do not need, and settle sends in doubt: dlo letters compensate ID --settle sent.",
  }));
  const isOverdue = nextAt === null ? last === null : now - Date.parse(nextAt) > overdueMs;
  if (next === null || !isOverdue || Date.parse(next.from) > now) return kept;
  const overdue = {
    code: "retention.due",
    sentence: `The letters of the week of ${next.week} are past their time and still there.`,
    change: "Processes with the duty intake run retention every hour. dlo retention apply runs it now.",
  };
  return [overdue, ...kept];
}

const keptBecause = {
  "in replay": "some are in a replay that has not ended, or the delivery of a message for one is not confirmed",
  busy: "the database was busy with them",
} as const;

function troublesOf(facts: Facts, now: number) {
  const { freeBytes, notifiers } = facts;
  const late = notifiers.filter(({ since }) => since !== null && now - Date.parse(since) > lateMs);
  return [
    ...(freeBytes !== null && freeBytes < littleFree
      ? [
          {
            code: "disk.little_free",
            sentence: `Only ${Math.floor(freeBytes / 1e6)} MB are free on the disk of the ledger.`,
            change: "Make room, or move the ledger: dlo backup FILE, and dlo restore FILE elsewhere.",
          },
        ]
      : []),
    ...retentionTroubles(facts, now),
    ...late.map(({ name }) => ({
      code: "notifier.behind",
      sentence: `${name} has not been told of what happened for more than five minutes.`,
      change: "See above whether a process with the duty replay lives, and what it says of this notifier.",
    })),
  ];
}
