import { hexOf, readId, showId } from "../../domain/ids.ts";
import { latestFixes } from "../../ledger/fixes.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { listBreakers } from "../../ledger/list-breakers.ts";
import { readAudit } from "../../ledger/read-audit.ts";
import { listReplays } from "../../ledger/read-replay.ts";
import { countStandings } from "../../ledger/replay-items.ts";
import type { ReplayRecord } from "../../ledger/replay-record.ts";
import { arrivalsSince } from "../../ledger/search/arrivals-since.ts";
import { findGroups } from "../../ledger/search/find-groups.ts";
import { readStop } from "../../ledger/stopped-sending.ts";
import { inboxOf, nextStepOf } from "../inbox.ts";
import { countItems, verdictOf } from "../replay/replay-counts.ts";
import type { ReportedReplay, ReportFacts } from "./report-words.ts";

export interface ReportRequest {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly sinceMs: number;
  readonly retentionMs: number;
  readonly actor: string;
}

const hourMs = 3_600_000;
const groupsAtMost = 200;
const groupsShown = 20;
const replaysAtMost = 50;
const deedsRead = 1_000;

/** What came, what is open and what was done about it, from the beginning of the hour that so long ago was in. */
export async function makeReport(ledger: Ledger, request: ReportRequest): Promise<ReportFacts> {
  const { now, sinceMs, retentionMs, actor } = request;
  const since = Math.floor((now - sinceMs) / hourMs) * hourMs;
  const found = await findGroups(ledger, { q: "", limit: groupsAtMost, onlyOpen: true, now, retentionMs });
  const arrivals = await arrivalsSince(ledger, since);
  const shown = inboxOf(found, now).slice(0, groupsShown);
  const fixes = await latestFixes(
    ledger,
    shown.map(({ id }) => readId("group", id)),
  );
  const hasFix = (id: string) => fixes.has(hexOf(readId("group", id)));
  return {
    ...{ since, until: now, open: sum(found.map(({ open }) => open)), openGroups: found.length },
    oldestOpenAt: found.flatMap(({ oldestOpenAt }) => oldestOpenAt ?? []).sort()[0] ?? null,
    arrived: sum([...arrivals.values()]),
    groups: shown.map((group) => ({
      ...group,
      nextStep: nextStepOf(group, hasFix(group.id)),
      arrived: arrivals.get(group.id) ?? 0,
    })),
    replays: await replaysSince(ledger, since),
    breakers: await openBreakers(ledger),
    stopped: await readStop(ledger, ledger.database),
    deeds: await deedsSince(ledger, since, actor),
  };
}

/** Those that are under way or wait, and those that ended since. */
async function replaysSince(ledger: Ledger, since: number): Promise<readonly ReportedReplay[]> {
  const found = await listReplays(ledger, { limit: replaysAtMost });
  const own = found.filter(({ endedAt, frozenAt }) => (endedAt ?? frozenAt) >= since || endedAt === null);
  return Promise.all(own.filter(({ state }) => state !== "expired").map((record) => reported(ledger, record)));
}

async function reported(ledger: Ledger, record: ReplayRecord): Promise<ReportedReplay> {
  const counts = countItems(await countStandings(ledger, ledger.database, record.id));
  const { name, state, requestedBy } = record;
  const { toSend, sent, confirmed, presumed, returned } = counts;
  const verdict = state === "finished" ? verdictOf(counts) : null;
  return {
    id: showId("replay", record.id),
    name,
    state,
    verdict,
    requestedBy,
    toSend,
    sent,
    confirmed,
    presumed,
    returned,
  };
}

/** Of queues one may not see, nobody is told. */
async function openBreakers(ledger: Ledger): Promise<ReportFacts["breakers"]> {
  if (ledger.scope.length > 0) return [];
  const breakers = await listBreakers(ledger);
  return breakers.flatMap(({ name, source, queue, state, since }) =>
    state === "open" ? [{ name, place: `${source}/${queue}`, since }] : [],
  );
}

/** What a colleague who takes over wants to know; replays are told of by themselves. */
const told: readonly string[] = [
  ...["letters.dropped", "letters.compensated", "letters.escalated", "letters.reopened", "letter.edited"],
  ...["fix.recorded", "fix.retracted", "deploy.recorded", "policy.applied", "sending.stopped", "sending.released"],
  ...["replay.rejected", "replay.glass_broken"],
];

async function deedsSince(ledger: Ledger, since: number, actor: string): Promise<ReportFacts["deeds"]> {
  const entries = await readAudit(ledger, { before: null, limit: deedsRead, actor });
  const deeds = new Map<string, { action: string; by: string; n: number }>();
  for (const { text } of entries) {
    const entry = JSON.parse(text) as { readonly at: string; readonly action: string; readonly actor: { id: string } };
    if (!told.includes(entry.action) || Date.parse(entry.at) < since) continue;
    const { action, actor: by } = entry;
    const known = deeds.get(`${action} ${by.id}`) ?? { action, by: by.id, n: 0 };
    deeds.set(`${action} ${by.id}`, { ...known, n: known.n + 1 });
  }
  return [...deeds.values()];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
