import { showId } from "../../domain/ids.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { listBreakers } from "../../ledger/list-breakers.ts";
import { countDeeds } from "../../ledger/read-audit.ts";
import { listReplays } from "../../ledger/read-replay.ts";
import { countStandings } from "../../ledger/replay-items.ts";
import type { ReplayRecord, ReplayState } from "../../ledger/replay-record.ts";
import { failuresSince } from "../../ledger/search/failures-since.ts";
import { findGroups, sumOpen } from "../../ledger/search/find-groups.ts";
import { readStop } from "../../ledger/stopped-sending.ts";
import { withSteps } from "../gates/find-steps.ts";
import { inboxOf } from "../inbox.ts";
import type { PolicyInForce } from "../policy/policy-in-force.ts";
import { countItems, verdictOf } from "../replay/replay-counts.ts";
import type { ReportedReplay, ReportFacts } from "./report-words.ts";

export interface ReportRequest {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly sinceMs: number;
  readonly retentionMs: number;
  readonly actor: string;
  readonly policy: () => Promise<PolicyInForce>;
}

const hourMs = 3_600_000;
/** Of which those to look at first are shown; the figures are of all. */
const groupsAtMost = 200;
const groupsShown = 20;
const replaysAtMost = 50;

/** What failed, what is open and what was done about it, from the beginning of the hour that so long ago was in. */
export async function makeReport(ledger: Ledger, request: ReportRequest): Promise<ReportFacts> {
  const { now, sinceMs, retentionMs, actor, policy } = request;
  const since = Math.floor((now - sinceMs) / hourMs) * hourMs;
  const first = "urgent" as const;
  const found = await findGroups(ledger, { q: "", limit: groupsAtMost, onlyOpen: true, first, now, retentionMs });
  const failures = await failuresSince(ledger, since);
  const shown = inboxOf(await withSteps({ ledger, policy }, found), now).slice(0, groupsShown);
  return {
    ...{ since, until: now, ...(await sumOpen(ledger)) },
    failed: [...failures.values()].reduce((sum, each) => sum + each, 0),
    groups: shown.map((group) => ({ ...group, failed: failures.get(group.id) ?? 0 })),
    replays: await replaysSince(ledger, since),
    breakers: await openBreakers(ledger),
    stopped: await readStop(ledger, ledger.database),
    deeds: await countDeeds(ledger, { since, actions: told, actor }),
  };
}

const underWay: readonly ReplayState[] = ["running", "settling", "paused", "halted"];
const waiting: readonly ReplayState[] = ["approved", "awaiting_approval", "planned"];
const ended: readonly ReplayState[] = ["finished", "cancelled", "rejected"];

/** Those under way, those that wait, and those that ended since: each by itself, since what runs may be older than any number of others. */
async function replaysSince(ledger: Ledger, since: number): Promise<readonly ReportedReplay[]> {
  const found = [
    ...(await listReplays(ledger, { states: underWay, limit: replaysAtMost })),
    ...(await listReplays(ledger, { states: waiting, limit: replaysAtMost })),
    ...(await listReplays(ledger, { states: ended, endedSince: since, limit: replaysAtMost })),
  ];
  return Promise.all(found.map((record) => reported(ledger, record)));
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
  ...["letters.dropped", "letters.compensated", "letters.escalated", "letters.reopened", "letters.given_back"],
  ...["letters.classified", "groups.classified", "groups.noted", "groups.assigned", "groups.introduced"],
  ...[
    "letter.edited",
    "fix.recorded",
    "fix.retracted",
    "deploy.recorded",
    "policy.applied",
    "sending.stopped",
    "sending.released",
  ],
  ...["replay.rejected", "replay.glass_broken"],
];
