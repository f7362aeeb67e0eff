import type { Actor } from "../../domain/actor.ts";
import { hexOf } from "../../domain/ids.ts";
import { countStandings, type ItemToSend, nextToSend } from "../../ledger/replay-items.ts";
import type { ReplayRecord } from "../../ledger/replay-record.ts";
import { examineItems } from "./examine-items.ts";
import { isEffectUnknown } from "./judge-letter.ts";
import { objectionTo } from "./objection.ts";
import type { Judgement } from "./reasons.ts";
import { countItems } from "./replay-counts.ts";
import type { ReplayParts } from "./replay-parts.ts";

/** Items whose turn would now end with them left out, though they were planned to go. */
export interface Drift {
  /** How many of those that are to go were looked at. */
  readonly checked: number;
  /** There are more than were looked at. */
  readonly isPartial: boolean;
  /** Of so many of them a probe is asked before they go whether they took effect; looking asks none. */
  readonly unasked: number;
  readonly items: readonly { readonly item: ItemToSend; readonly against: Judgement }[];
}

/** Bodies are read again to tell whether they are what was planned: more than this would keep a page waiting. */
const checkedAtMost = 2_000;
const checkedAtOnce = 500;

/** What has changed for a plan since it was frozen, letter by letter. Nothing is changed or marked by looking, and nobody is asked. */
export async function findDrift(parts: ReplayParts, record: ReplayRecord, actor: Actor): Promise<Drift> {
  const { ledger } = parts;
  const { toSend, notYetSent } = countItems(await countStandings(ledger, ledger.database, record.id));
  const policy = await parts.policy();
  const going = new Set<string>();
  const found: Drift["items"][number][] = [];
  let checked = 0;
  let unasked = 0;
  let after = 0;
  while (checked < checkedAtMost) {
    const items = await nextToSend(ledger, { replay: record.id, after, limit: checkedAtOnce });
    if (items.length === 0) break;
    const approval = { kind: "pending" } as const;
    const request = { record, items, actor, policy, planned: toSend, going, approval, asks: false };
    const letters = new Map((await examineItems(parts, request)).map((each) => [hexOf(each.candidate.id), each]));
    for (const item of items) {
      const letter = letters.get(hexOf(item.letterId));
      const against = objectionTo(item, letter);
      if (letter?.isUnasked) unasked += 1;
      // Whoever was asked for the plan said that it did not happen, and is asked again before it goes.
      const isForThemToSay = letter?.isUnasked && against !== null && isEffectUnknown(against.code);
      if (against !== null && !isForThemToSay) found.push({ item, against });
    }
    checked += items.length;
    after = items.at(-1)?.n ?? after;
  }
  return { checked, isPartial: checked < notYetSent, unasked, items: found };
}
