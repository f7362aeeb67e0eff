import type { AlertKind } from "../../domain/alert-rule.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { listBreakers, type ReportedBreaker } from "../../ledger/list-breakers.ts";
import { listReplays } from "../../ledger/read-replay.ts";
import type { ReplayRecord } from "../../ledger/replay-record.ts";
import { countQueues, type OldestLetter, oldestPerQueue, type QueueCount } from "../../ledger/search/count-queues.ts";
import { findGroups, type GroupSummary } from "../../ledger/search/find-groups.ts";

/** What rules are judged by: the same figures as pages show. */
export interface AlertFigures {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Those with most open letters. */
  readonly groups: readonly GroupSummary[];
  /** Those whose first letter came within a day. */
  readonly newGroups: readonly GroupSummary[];
  readonly counts: readonly QueueCount[];
  readonly oldest: readonly OldestLetter[];
  readonly breakers: readonly ReportedBreaker[];
  /** Plans that wait for approval. */
  readonly waiting: readonly ReplayRecord[];
}

const dayMs = 86_400_000;
const groupsAtMost = 200;

/** Reads what rules of these kinds need, and nothing else. */
export async function readAlertFigures(
  ledger: Ledger,
  { kinds, now }: { readonly kinds: ReadonlySet<AlertKind>; readonly now: number },
): Promise<AlertFigures> {
  const open = { q: "", limit: groupsAtMost, onlyOpen: true, now, retentionMs: Number.MAX_SAFE_INTEGER };
  return {
    now,
    groups: kinds.has("growing") ? await findGroups(ledger, open) : [],
    newGroups: kinds.has("new") ? await findGroups(ledger, { ...open, firstSince: now - dayMs }) : [],
    counts: kinds.has("depth") || kinds.has("returned") ? await countQueues(ledger) : [],
    oldest: kinds.has("age") ? await oldestPerQueue(ledger) : [],
    breakers: kinds.has("breaker") ? await listBreakers(ledger) : [],
    waiting: kinds.has("approval")
      ? await listReplays(ledger, { states: ["awaiting_approval"], limit: groupsAtMost })
      : [],
  };
}
