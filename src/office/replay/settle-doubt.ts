import type { Actor } from "../../domain/actor.ts";
import { OfficeError } from "../../domain/errors.ts";
import { showId } from "../../domain/ids.ts";
import { showCount } from "../../domain/show-count.ts";
import { type DoubtfulItem, doubtAbandoned, holdDoubtful, planAgain, treatAsSent } from "../../ledger/settle-doubt.ts";
import { changeReplay, type GoverningParts, requireReason, type Said } from "./change-replay.ts";

/** What a person may say of a send in doubt: that it happened, or that its letter is to be planned again. */
export const doubtVerdicts = ["sent", "plan_again"] as const;

export interface DoubtSaid extends Said {
  readonly verdict: (typeof doubtVerdicts)[number];
  /** Which items; null: all that are in doubt, and `expectCount` says how many those are. */
  readonly numbers: readonly number[] | null;
  readonly expectCount: number | null;
}

/**
 * After its lease has lapsed, whoever was sending may have been asleep for two more heartbeats of ten seconds. A send that
 * happens after somebody decided that it did not would make two of one letter.
 */
const wakeMs = 20_000;

const decide = { sent: treatAsSent, plan_again: planAgain } as const;

/** Settles sends in doubt by a person's word, where no evidence has come: all that were named, or none. */
export async function settleDoubt(parts: GoverningParts, actor: Actor, said: DoubtSaid): Promise<void> {
  const { replay, reason, verdict, numbers: named, expectCount } = said;
  requireReason(reason, "what you say of a send in doubt");
  const { ledger } = parts;
  const settled: number[] = [];
  const told = { replay, action: "replay.doubt_settled", details: { reason, verdict, items: settled } };
  return changeReplay(parts, actor, told, async (queries) => {
    await doubtAbandoned(ledger, queries, replay);
    const items = await holdDoubtful(ledger, queries, { replay, numbers: named, wakeMs });
    requireInDoubt(said, items);
    if (named === null) requireAll(items.length, expectCount);
    requireAsleep(items);
    for (const { n } of items) settled.push(n);
    await decide[verdict](ledger, queries, { replay, numbers: settled });
  });
}

function requireInDoubt({ replay, numbers }: DoubtSaid, items: readonly DoubtfulItem[]): void {
  const id = showId("replay", replay);
  const way = `\`dlo replay items ${id} --state in_doubt\` lists those that are; nothing was changed.`;
  const standing = new Map(items.map(({ n, progress }) => [n, progress]));
  const other = (numbers ?? []).find((n) => standing.get(n) !== "in_doubt");
  if (other !== undefined) {
    const is = standing.get(other)?.replaceAll("_", " ") ?? "not in this replay";
    const text = `Item ${other} is not in doubt, it is ${is}. ${way}`;
    throw new OfficeError("SEND_NOT_IN_DOUBT", text, { details: { item: other, state: standing.get(other) ?? null } });
  }
  if (items.length > 0) return;
  throw new OfficeError("SEND_NOT_IN_DOUBT", `Nothing of ${id} is in doubt. \`dlo replay show ${id}\` says how it is.`);
}

function requireAll(inDoubt: number, expectCount: number | null): void {
  if (inDoubt === expectCount) return;
  const believed = expectCount === null ? "" : `, not ${expectCount}`;
  const text = `${showCount(inDoubt, "letter")} ${inDoubt === 1 ? "is" : "are"} in doubt${believed}. Look at them again, and give that number or name the items.`;
  throw new OfficeError("PLAN_CHANGED", text, { details: { inDoubt, expectCount } });
}

function requireAsleep(items: readonly DoubtfulItem[]): void {
  const wakesForMs = Math.max(...items.map((item) => item.wakesForMs));
  if (wakesForMs <= 0) return;
  const leftS = Math.ceil(wakesForMs / 1_000);
  const text = `Whoever was sending may still wake up and do so. Wait ${leftS} s, and say it again; nothing was changed.`;
  throw new OfficeError("SENDER_MAY_WAKE", text, { details: { waitS: leftS } });
}
