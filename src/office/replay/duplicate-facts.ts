import type { WorkingConsumer } from "../../ledger/consumers.ts";
import type { RevisedLetter } from "../edit/revise-letter.ts";
import type { Uncertain } from "./ask-outside.ts";
import type { DuplicateFacts, DuplicateStanding } from "./facts.ts";
import { hasKey } from "./letter-key.ts";
import type { ReplayParts } from "./replay-parts.ts";

interface GoesTo {
  /** As it would go. */
  readonly revised: RevisedLetter;
  readonly source: string;
  /** As its consumers name it. */
  readonly queue: string;
  /** Who is at work there. */
  readonly working: readonly WorkingConsumer[];
  /** Where a person accepts duplicates, as `source/queue`. */
  readonly accepted: ReadonlySet<string>;
  readonly now: number;
}

export function duplicateFacts(
  { keyAt }: Pick<ReplayParts, "keyAt">,
  { candidate, opened, protocol }: Uncertain,
  { revised, source, queue, working, accepted, now }: GoesTo,
): DuplicateFacts {
  const place = `${source}/${queue}`;
  const { payload, headers } = revised;
  // A policy that says "nowhere else" overrules its source.
  const said = protocol.keyAt === undefined ? keyAt(candidate.source, candidate.drainedFrom) : protocol.keyAt;
  const question = {
    hasKey: hasKey({ candidate, reading: opened.reading, payload, headers, queue }, said),
    ...{ working, failedAt: candidate.failedAt, now },
  };
  return { ...duplicateStanding(question), place, queue, isAccepted: accepted.has(place) };
}

interface DuplicateQuestion {
  readonly hasKey: boolean;
  /** Who is at work where it goes. */
  readonly working: readonly WorkingConsumer[];
  readonly failedAt: number;
  readonly now: number;
}

/** A key is of no use unless every consumer remembers it, and for longer than the letter is old. */
function duplicateStanding({ hasKey, working, failedAt, now }: DuplicateQuestion): DuplicateStanding {
  if (!hasKey) return { kind: "key_missing" };
  const windows = working.flatMap(({ inboxWindowS }) => (inboxWindowS === null ? [] : [inboxWindowS * 1_000]));
  const windowMs = Math.min(...windows);
  if (now - failedAt > windowMs) return { kind: "expired", windowMs };
  return windows.length === 0 || windows.length < working.length ? { kind: "not_reported" } : { kind: "recognized" };
}
