import { createHash } from "node:crypto";
import { canonicalJson } from "../../domain/canonical-json.ts";
import type { HeaderChange } from "../../domain/header-changes.ts";
import type { ReplayLimits } from "../../ledger/replay-record.ts";
import type { DecisionKind } from "./reason-meaning.ts";
import type { ReasonCode } from "./reasons.ts";

export interface PlanHeader {
  readonly replay: string;
  readonly policyHash: string;
  readonly limits: ReplayLimits;
  /** Where all letters go instead of where they came from; null when they go back. */
  readonly redirect: string | null;
}

/** One letter of a plan, frozen. Whatever becomes known of it later is stored beside it, never here. */
export interface PlanItem {
  /** Counts from 1. */
  readonly n: number;
  readonly letter: string;
  /** Hexadecimal. */
  readonly payloadSha256: string | null;
  /** Of the canonical JSON of what an edit puts in the place of headers, hexadecimal; absent where they go as they came. */
  readonly headersSha256?: string | undefined;
  /** 0 is the original. */
  readonly revision: number;
  readonly destination: string | null;
  readonly via: { readonly exchange: string; readonly routingKey: string } | null;
  readonly strip: readonly string[];
  readonly decision: DecisionKind;
  readonly reason: ReasonCode;
}

/** Takes a plan of any length in pieces, so that a hundred thousand letters need not be in memory at once. */
export interface PlanHasher {
  add(item: PlanItem): void;
  /** Hexadecimal sha256 over the header's and every item's line of canonical JSON. */
  digest(): string;
}

export function hashPlan({ replay, policyHash, limits, redirect }: PlanHeader): PlanHasher {
  const { rate, batch, ramp, settleS, haltReturns, haltLag } = limits;
  const header = { replay, policyHash, limits: { rate, batch, ramp, settleS, haltReturns, haltLag }, redirect };
  const hash = createHash("sha256").update(`${canonicalJson(header)}\n`);
  let last = 0;
  return {
    add(item) {
      // A gap or a repeat would be a list nobody saw and everybody approved.
      if (item.n !== last + 1) throw new RangeError(`Item ${item.n} cannot follow item ${last} of a plan.`);
      last = item.n;
      hash.update(`${itemLine(item)}\n`);
    },
    digest: () => hash.digest("hex"),
  };
}

/** Each field by name: what else an item carries in memory has no part in what was approved. */
function itemLine(item: PlanItem): string {
  const { n, letter, payloadSha256, headersSha256, revision, destination, via, strip, decision, reason } = item;
  const route = via === null ? null : { exchange: via.exchange, routingKey: via.routingKey };
  const edited = headersSha256 === undefined ? {} : { headersSha256 };
  const line = { n, letter, payloadSha256, ...edited, revision, destination, via: route, strip, decision, reason };
  return canonicalJson(line);
}

/** What an edit puts in the place of headers, as a plan's line names it. */
export function headersDigest(headers: readonly HeaderChange[]): string {
  const pairs = headers.map(({ name, value }) => ({ name, value }));
  return createHash("sha256").update(canonicalJson(pairs)).digest("hex");
}

/**
 * What an approval is bound to: the plan, and which of its risks were answered for before asking. A later
 * acknowledgement gives another hash and so needs another approval; an item taken out does not.
 */
export function approvalHash(planHash: string, acknowledged: Iterable<number>): string {
  const list = [...new Set(acknowledged)].sort((a, b) => a - b).join(",");
  return createHash("sha256").update(`${planHash}\n${list}`).digest("hex");
}
