import type { Actor } from "../../domain/actor.ts";
import { hexOf } from "../../domain/ids.ts";
import type { ItemToSend } from "../../ledger/replay-items.ts";
import type { ReplayRecord } from "../../ledger/replay-record.ts";
import { parsePatch } from "../edit/patch-json.ts";
import type { PolicyInForce } from "../policy/policy-in-force.ts";
import { duplicateCodes } from "./duplicate-reasons.ts";
import { type ExaminedLetter, examineLetters } from "./examine-letters.ts";
import type { ApprovalFacts } from "./facts.ts";
import type { ReplayParts } from "./replay-parts.ts";

export interface ItemsRequest {
  readonly record: ReplayRecord;
  readonly items: readonly ItemToSend[];
  readonly actor: Actor;
  readonly policy: PolicyInForce;
  readonly approval: ApprovalFacts;
  /** Letters that the whole replay sends. */
  readonly planned: number;
  /** Letters that go before these, in hexadecimal digits; those of these that go are added. */
  readonly going: Set<string>;
  /** Whether anybody outside is asked. @default true */
  readonly asks?: boolean;
  /** Brokers have to show how things are there; otherwise letters say why they were not checked. */
  readonly mustSee: boolean;
  /** Sources that could not be asked; others are added. @default none */
  readonly notAsked?: Map<string, string>;
}

/** Items of a plan judged again, under what is so now: each can only become less allowed than it was planned. */
export function examineItems(parts: ReplayParts, request: ItemsRequest): Promise<readonly ExaminedLetter[]> {
  const { record, items, actor, policy, approval, planned, going, asks = true, mustSee } = request;
  const { notAsked = new Map<string, string>() } = request;
  const answered = items.flatMap(({ letterId, isAcknowledged, reason, risks }) =>
    isAcknowledged ? [[hexOf(letterId), new Set([reason, ...risks])] as const] : [],
  );
  const untold = items.filter(({ reason, told }) => told === null && !duplicateCodes.has(reason));
  return examineLetters(parts, {
    ...{ ids: items.map(({ letterId }) => letterId), actor, redirect: record.redirect },
    ...{
      policy,
      planned,
      ownReplay: record.id,
      isAuto: record.autoPlace !== null,
      approval,
      going,
      asks,
      mustSee,
      notAsked,
    },
    isExempt: record.autoPlace !== null || (record.exemption !== null && !record.isExemptionOver),
    patch: record.patch === null ? null : parsePatch(record.patch),
    revisions: new Map(items.map(({ letterId, revision }) => [hexOf(letterId), revision])),
    untold: new Set(untold.map(({ letterId }) => hexOf(letterId))),
    acknowledged: new Map(answered),
  });
}
