import { z } from "zod";
import { roles } from "../../domain/actor.ts";
import { replayStates } from "../../ledger/replay-record.ts";
import { replayVerdicts } from "../replay/replay-counts.ts";
import { wholeNumber } from "./whole-number.ts";

const text = z.string().nullable();
const count = z.number();

const counts = z.object({
  ...{ selected: count, toSend: count, ackRequired: count, skipped: count, excluded: count, drifted: count },
  ...{ notYetSent: count, sent: count, inDoubt: count, released: count },
  ...{ confirmed: count, presumed: count, suppressed: count, returned: count, unknown: count, waiting: count },
});

const limits = z.object({
  rate: z.number(),
  batch: z.number(),
  ramp: z.array(z.number()),
  settleS: z.number(),
  haltReturns: z.number(),
  haltLag: z.number().nullable(),
});

const decision = z.enum(["replay", "ack_required", "skip"]);

/** A replay without its items. */
export const replayShape = z.object({
  id: z.string(),
  state: z.enum(replayStates),
  name: z.string(),
  query: z.string(),
  requestedBy: z.string(),
  /** Why, in the words of whoever asked. */
  reason: text,
  redirect: text,
  /** Every letter is edited by one patch before it goes; `replays.changes` shows what that does to each. */
  isPatched: z.boolean(),
  planHash: z.string(),
  /** What an approval given now would be bound to. */
  approvalHash: z.string(),
  frozenAt: z.string(),
  expiresAt: z.string(),
  startedBy: text,
  startedAt: text,
  endedAt: text,
  /** Until when the outcomes of the running step are waited for. */
  settlesAt: text,
  /** Where each step of the ramp ends, in letters sent, and whether it has begun. */
  steps: z.array(z.object({ upTo: count, isBegun: z.boolean() })),
  policy: z.object({ hash: z.string() }),
  limits,
  approvalsNeeded: count,
  approverRoles: z.array(z.enum(roles)),
  /**
   * Why a plan that was not started needs no approval although its policy asks for some: letters of each queue in it, those that the
   * person who planned it replayed without approval in the last 24 hours, and the limit of that. Null where that is not so.
   */
  exemption: z
    .object({
      /** Null: an agent planned it. It counts for whoever starts it. */
      person: text,
      queues: z.array(z.object({ source: z.string(), queue: z.string(), n: count, replayed: count, limit: count })),
    })
    .nullable(),
  /** Who could approve it, while somebody has to. */
  approvers: z.array(z.string()),
  /** What stands in the way of the whole plan. */
  notices: z.array(z.object({ code: z.string(), sentence: z.string(), change: z.string() })),
  counts,
  /** Where all that is to be sent goes, by source and queue; those with most letters first. */
  destinations: z.array(z.object({ source: z.string(), queue: z.string(), n: count })),
  /** While it stands: how many seconds it would take from here at the most, if nothing halts it. */
  takesS: count.nullable(),
  /** While it is under way: how many a second go, and how many seconds it may still take. */
  pace: z.object({ perSecond: z.number(), remainingS: z.number() }).nullable(),
  /** What a finished one came to. */
  verdict: z.enum(replayVerdicts).nullable(),
  haltedBy: z.object({ guard: z.string(), sentence: z.string() }).nullable(),
  /** While it is under way: the broker that it waits for, and since when. It goes on when that answers, and halts after 15 minutes. */
  waitsFor: z.object({ why: z.string(), since: z.string() }).nullable(),
  reasons: z.array(
    z.object({
      decision: z.enum([...decision.options, "acknowledged", "excluded", "drifted"]),
      code: z.string(),
      n: count,
      sentence: z.string(),
      change: z.string(),
    }),
  ),
  /** Codes of the risks that people accepted in it: whoever approves it names them. */
  risks: z.array(z.string()),
  approvals: z.array(
    z.object({
      actor: z.string(),
      at: z.string(),
      hash: z.string(),
      verdict: z.enum(["approved", "rejected", "revoked"]),
      reason: text,
      brokeGlass: z.boolean(),
      /** False: whoever said it has a hand in the replay by now, was shut out, or lost the role for it. */
      counts: z.boolean(),
    }),
  ),
  /** Somebody stood in for missing approvals. */
  brokeGlass: z.boolean(),
  /**
   * Once it was started: letters that came new into the groups of what it sends, until it ended, and the search that finds exactly
   * those. What it sent itself and came back is not among them. Counted to a thousand. Null before, and where an older version
   * planned it, which did not note its groups.
   */
  arrivals: z.object({ n: count, isAtLeast: z.boolean(), q: z.string() }).nullable(),
  /** As what letters came back. */
  returns: z.array(z.object({ was: z.string(), became: z.string(), n: count })),
  nextStep: z.object({ code: z.string(), label: z.string(), command: text }),
});

/** What a list shows of a replay. */
export const replaySummary = replayShape.pick({
  ...{
    id: true,
    state: true,
    name: true,
    query: true,
    requestedBy: true,
    frozenAt: true,
    startedAt: true,
    endedAt: true,
  },
  ...{ counts: true, verdict: true, brokeGlass: true, nextStep: true, reasons: true, approvals: true, limits: true },
  ...{ expiresAt: true, reason: true, approvalsNeeded: true, approvers: true, startedBy: true, destinations: true },
});

export const itemStates = [
  ...(["not_yet_sent", "sending", "in_doubt", "released", "waiting"] as const),
  ...(["confirmed", "presumed", "suppressed", "returned", "unknown"] as const),
] as const;

export const replayItem = z.object({
  n: count,
  letter: z.string(),
  decision,
  reason: z.object({ code: z.string(), sentence: z.string(), change: z.string() }),
  source: z.string(),
  destination: text,
  /** The exchange and key by which it goes there; null: straight to the queue. */
  via: z.object({ exchange: z.string(), routingKey: z.string() }).nullable(),
  payloadSha256: text,
  revision: count,
  acknowledged: z.boolean(),
  mark: z.enum(["excluded", "drifted"]).nullable(),
  markReason: text,
  state: z.enum(itemStates),
});

/** A letter of a plan that would not go as things are now. */
export const driftedItem = z.object({
  n: count,
  letter: z.string(),
  reason: z.object({ code: z.string(), sentence: z.string(), change: z.string() }),
});

/** Per second: more than any broker takes. */
const largestRate = 1_000_000;
/** In seconds: a year. */
const longestWait = 31_622_400;

/** What may be asked for when a plan is made: only ever stricter than the policy. */
export const stricterLimits = z.object({
  rate: z.number().positive().max(largestRate).optional(),
  batch: wholeNumber(1).optional(),
  ramp: z.array(wholeNumber(1)).optional(),
  settleS: z.number().min(0).max(longestWait).optional(),
});
