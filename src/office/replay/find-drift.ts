import type { Actor } from "../../domain/actor.ts";
import { hexOf } from "../../domain/ids.ts";
import { countStandings, type ItemToSend, nextToSend } from "../../ledger/replay-items.ts";
import type { ReplayRecord } from "../../ledger/replay-record.ts";
import { examineItems } from "./examine-items.ts";
import { isEffectUnknown } from "./judge-letter.ts";
import { objectionTo } from "./objection.ts";
import type { Judgement, ReasonCode } from "./reasons.ts";
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
  /** Where they go could not be looked at, by why: a broker that is down changes nothing about a plan. */
  readonly notChecked: readonly { readonly n: number; readonly why: string }[];
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
  const notAsked = new Map<string, string>();
  const notChecked = new Map<string, number>();
  let checked = 0;
  let unasked = 0;
  let after = 0;
  while (checked < checkedAtMost) {
    const items = await nextToSend(ledger, { replay: record.id, after, limit: checkedAtOnce });
    if (items.length === 0) break;
    const approval = { kind: "pending" } as const;
    const request = {
      record,
      items,
      actor,
      policy,
      planned: toSend,
      going,
      approval,
      asks: false,
      mustSee: false,
      notAsked,
    };
    const letters = new Map((await examineItems(parts, request)).map((each) => [hexOf(each.candidate.id), each]));
    for (const item of items) {
      const letter = letters.get(hexOf(item.letterId));
      const against = objectionTo(item, letter);
      if (letter?.isUnasked) unasked += 1;
      const why = letter?.notAsked ?? null;
      if (why !== null) notChecked.set(why, (notChecked.get(why) ?? 0) + 1);
      const isForBroker = why !== null && against !== null && unseenNow.includes(against.code);
      // Whoever was asked for the plan said that it did not happen, and is asked again before it goes.
      const isForThemToSay = letter?.isUnasked && against !== null && isEffectUnknown(against.code);
      if (against !== null && !isForThemToSay && !isForBroker) found.push({ item, against });
    }
    checked += items.length;
    after = items.at(-1)?.n ?? after;
  }
  const isPartial = checked < notYetSent;
  return { checked, isPartial, unasked, notChecked: [...notChecked].map(([why, n]) => ({ n, why })), items: found };
}

/** What is said only because nobody could look where a letter would go. */
const unseenNow: readonly ReasonCode[] = [
  ...(["destination.not_checked", "destination.next_death_lost"] as const),
  ...(["destination.unknown", "destination.ambiguous"] as const),
];
