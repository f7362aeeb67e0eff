import type { AlertKind, AlertRule } from "../../domain/alert-rule.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { listBreakers, type ReportedBreaker } from "../../ledger/list-breakers.ts";
import { listReplays } from "../../ledger/read-replay.ts";
import type { ReplayRecord } from "../../ledger/replay-record.ts";
import { countQueues, type OldestLetter, oldestPerQueue, type QueueCount } from "../../ledger/search/count-queues.ts";
import { findGroups, type GroupSummary } from "../../ledger/search/find-groups.ts";

/** What a rule is judged by: the same figures as pages show. */
export interface AlertFigures extends SharedFigures {
  /** Those that the rule may be about. */
  readonly groups: readonly GroupSummary[];
}

/** What all rules are judged by. */
export interface SharedFigures {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly counts: readonly QueueCount[];
  readonly oldest: readonly OldestLetter[];
  readonly breakers: readonly ReportedBreaker[];
  /** Plans that wait for approval. */
  readonly waiting: readonly Pick<ReplayRecord, "id" | "requestedBy" | "frozenAt">[];
}

const hourMs = 3_600_000;
const atOnce = 200;

/** Reads what rules of these kinds need, and nothing else. */
export async function readSharedFigures(
  ledger: Ledger,
  { kinds, now }: { readonly kinds: ReadonlySet<AlertKind>; readonly now: number },
): Promise<SharedFigures> {
  return {
    now,
    counts: kinds.has("depth") || kinds.has("returned") ? await countQueues(ledger) : [],
    oldest: kinds.has("age") ? await oldestPerQueue(ledger) : [],
    breakers: kinds.has("breaker") ? await listBreakers(ledger) : [],
    waiting: kinds.has("approval") ? await readWaiting(ledger) : [],
  };
}

/** All of them: the oldest, which are the ones to be told of, come last. */
async function readWaiting(ledger: Ledger): Promise<readonly ReplayRecord[]> {
  const waiting: ReplayRecord[] = [];
  for (let after: Uint8Array | null = null; ; ) {
    const page: readonly ReplayRecord[] = await listReplays(ledger, {
      ...{ states: ["awaiting_approval"], limit: atOnce, after },
    });
    waiting.push(...page);
    if (page.length < atOnce) return waiting;
    after = page.at(-1)?.id ?? null;
  }
}

/** How far back it matters when a group's first or last letter failed. */
const lately: Partial<Readonly<Record<AlertKind, (now: number) => { firstSince?: number; lastSince?: number }>>> = {
  new: (now) => ({ firstSince: now - 24 * hourMs }),
  growing: (now) => ({ lastSince: now - 2 * hourMs }),
};

interface GroupsAsked {
  readonly now: number;
  /** Groups that the rule found before: they are looked at however old they are, and however many others there are. */
  readonly found: readonly string[];
}

/** The groups that a rule may be about; none where it is about no groups. */
export async function readRuleGroups(
  ledger: Ledger,
  { kind, queues, categories, over }: AlertRule,
  { now, found }: GroupsAsked,
): Promise<readonly GroupSummary[]> {
  const since = lately[kind];
  if (since === undefined) return [];
  const search = { q: "", onlyOpen: true, first: "urgent", now, retentionMs: Number.MAX_SAFE_INTEGER } as const;
  const only = { queues, categories, openOver: over };
  const limit = atOnce + found.length;
  const recent = await findGroups(ledger, { ...search, ...since(now), limit, only });
  const known =
    found.length === 0
      ? []
      : await findGroups(ledger, { ...search, limit: found.length, only: { ...only, ids: found } });
  return [...new Map([...recent, ...known].map((group) => [group.id, group])).values()];
}
