import { z } from "zod";
import { categories } from "../../domain/classification.ts";
import { countArrivals } from "../../ledger/count-arrivals.ts";
import { replaysHolding } from "../../ledger/holding-replays.ts";
import { replayStates } from "../../ledger/replay-record.ts";
import { affectedBy } from "../../ledger/search/affected.ts";
import { countQueues, oldestPerQueue } from "../../ledger/search/count-queues.ts";
import { failureHours } from "../../ledger/search/failure-hours.ts";
import { findGroups, type GroupSummary, readGroup, sumOpen } from "../../ledger/search/find-groups.ts";
import { reasonsOf } from "../../ledger/search/group-reasons.ts";
import { tagsOfGroups } from "../../ledger/tags.ts";
import { attentionsOf, namedGroup } from "../attend/attend-group.ts";
import { type AttendedItem, attendedInbox, inboxLanes } from "../attend/attended-inbox.ts";
import { attentionOf } from "../attend/attention.ts";
import { stepOf, withSteps } from "../gates/find-steps.ts";
import { groupStepCodes } from "../gates/group-step.ts";
import { heldInWords } from "../gates/held-words.ts";
import { reasonInWords } from "../grouping/reason-words.ts";
import { inboxOf, inboxReasons } from "../inbox.ts";
import { searchedNow } from "../replay/searched-now.ts";
import { groupInWords } from "../report/report-words.ts";
import { attention } from "./group-words.ts";
import { groupSummary, putTag } from "./letter-shapes.ts";
import { operation } from "./operation.ts";
import { searchWarning, warningsOf, warningsOfNothing } from "./unknown-names.ts";

const nextStep = z.object({
  /** Stable, for programs. */
  code: z.enum(groupStepCodes),
  /** For people, in a few words. */
  label: z.string(),
  /** Why it is this one: what it waits for and what is seen of that now. */
  sentence: z.string(),
  /** What would change it; empty where it can be taken. */
  change: z.string(),
});

/** What its letters wait for, or waited for, before they may go. */
const gate = z.object({
  kind: z.enum(["breaker", "deploy", "fix"]),
  /** Which breaker it is; null where it is none. */
  breaker: z.string().nullable(),
  isOpen: z.boolean(),
  waitsFor: z.string(),
  /** What is seen of that now, and since when; null where nobody can say. */
  ...{ sees: z.string(), since: z.string().nullable() },
  /** What opens it; empty where it is open to all. */
  opens: z.string(),
});

export const listGroups = operation({
  name: "groups.list",
  summary: "letters that failed alike, those with most open first",
  role: "viewer",
  isScoped: true,
  input: z.object({
    q: z.string().default(""),
    limit: z.int().min(1).max(200).default(50),
    onlyOpen: z.boolean().default(false),
  }),
  output: z.object({ items: z.array(groupSummary), next: z.null(), warnings: z.array(searchWarning) }),
  async run(office, input, actor) {
    const search = { ...input, ...searchedNow(office, actor) };
    const items = await findGroups(office.ledger, search);
    return {
      items: items.map(shownGroup),
      next: null,
      warnings: await (items.length === 0 ? warningsOfNothing : warningsOf)(office.ledger, search),
    };
  },
});

/** As the door's schema has it. */
function shownGroup<Group extends GroupSummary>(group: Group) {
  return { ...group, hours: [...group.hours], mergedFrom: [...group.mergedFrom] };
}

export const getGroup = operation({
  name: "groups.get",
  summary:
    "one group, or the one it was merged into, why its letters are what they are, and the one next step about it",
  role: "viewer",
  isScoped: true,
  input: z.object({ id: z.string() }),
  output: groupSummary.extend({
    nextStep,
    gates: z.array(gate),
    /** Replays that have letters of it, in their plan or on the way: at most 5, the latest first. */
    inReplays: z.array(
      z.object({ replay: z.string(), by: z.string(), state: z.enum(replayStates), sentence: z.string() }),
    ),
    attention,
    /** All its letters have them, those too that come later. */
    tags: z.array(putTag),
    /** In words, for a chat or a ticket; `report.get` says the same of it. */
    summary: z.string(),
    /** Letters that were asked why they are what they are, the latest, at most 100; and what decided, of most of them first, at most 5. */
    looked: z.number(),
    reasons: z.array(
      z.object({
        ...{ category: z.enum(categories), rule: z.string(), n: z.number() },
        /** Of the newest of them: 0 to 1, and in words. */
        ...{ confidence: z.number(), why: z.string(), sentence: z.string() },
      }),
    ),
  }),
  async run({ ledger, clock, replay: { policy } }, { id }) {
    const group = await readGroup(ledger, id, clock.now());
    const { nextStep, gates } = await stepOf({ ledger, policy }, group);
    const shown = { ...shownGroup(group), nextStep };
    const inReplays = await replaysHolding(ledger, namedGroup(group).ids);
    const [attended] = await attentionsOf(ledger, [group], clock.now());
    const { looked, reasons } = await reasonsOf(ledger, namedGroup(group).ids);
    return {
      ...{ ...shown, looked, gates: [...gates], inReplays: inReplays.map(heldInWords) },
      reasons: reasons.map((reason) => ({ ...reason, sentence: reasonInWords(reason) })),
      tags: [...(await tagsOfGroups(ledger, namedGroup(group).ids))],
      attention: attended ?? attentionOf(group, undefined, clock.now()),
      summary: groupInWords(shown).join("\n"),
    };
  },
});

/** Names shown of each kind; how many there are in all is always said. */
const namesAtMost = 1_000;
const affectedNames = z.array(z.object({ name: z.string(), n: z.number() }));

export const getAffected = operation({
  name: "groups.affected",
  summary: "whom the open letters of a group concern: distinct keys and tenants, those with most letters first",
  role: "viewer",
  isScoped: true,
  input: z.object({ id: z.string() }),
  output: z.object({
    keys: affectedNames,
    distinctKeys: z.number(),
    tenants: affectedNames,
    distinctTenants: z.number(),
  }),
  async run({ ledger, clock }, { id }) {
    const group = await readGroup(ledger, id, clock.now());
    const { keys, tenants, ...distinct } = await affectedBy(ledger, group.id, namesAtMost);
    return { ...distinct, keys: [...keys], tenants: [...tenants] };
  },
});

export const listInbox = operation({
  name: "inbox.list",
  summary: "what needs a decision, in the order in which to look at it",
  role: "viewer",
  isScoped: true,
  isShared: true,
  input: z.object({
    limit: z.int().min(1).max(200).default(50),
    /** Those too that somebody snoozed, behind the others. */
    withSnoozed: z.boolean().default(false),
    /** Only what is in this lane. */
    lane: z.enum(inboxLanes).nullable().default(null),
  }),
  output: z.object({
    items: z.array(
      groupSummary.extend({
        why: z.enum([...inboxReasons, "acknowledged", "snoozed"]),
        /** What it asks of people: a decision, one that a gate kept back until now, to wait, or nothing, since somebody has seen it. */
        lane: z.enum(inboxLanes),
        nextStep,
        attention,
      }),
    ),
    /** How many groups are in each lane, of the 200 to look at first, whichever lane was asked for. */
    lanes: z.object({ decide: z.number(), unblocked: z.number(), blocked: z.number(), acknowledged: z.number() }),
    /** How many may wait for now. */
    snoozed: z.number(),
    /** Letters and groups that need a decision, those too that are not among the items. */
    open: z.number(),
    openGroups: z.number(),
    next: z.null(),
  }),
  async run({ ledger, clock, retentionMs, replay: { policy } }, { limit, withSnoozed, lane }) {
    const now = clock.now();
    const first = "urgent" as const;
    const groups = await findGroups(ledger, { q: "", limit: 200, onlyOpen: true, first, now, retentionMs });
    const { open, openGroups } = await sumOpen(ledger);
    const inbox = inboxOf(await withSteps({ ledger, policy }, groups), now);
    const { items, ...counts } = attendedInbox(inbox, await attentionsOf(ledger, inbox, now), { withSnoozed });
    const shown = items.filter((item) => lane === null || item.lane === lane).slice(0, limit);
    return { ...counts, items: shown.map(shownItem), open, openGroups, next: null };
  },
});

function shownItem({ isUnblocked: _, returnedAt: __, ...item }: AttendedItem) {
  return shownGroup(item);
}

export const listQueues = operation({
  name: "queues.list",
  summary:
    "letters by queue, category and state, the oldest open one of each queue, how many failed in each hour, and when one came last",
  role: "viewer",
  isScoped: true,
  isShared: true,
  input: z.object({}),
  output: z.object({
    counts: z.array(
      z.object({ source: z.string(), queue: z.string(), category: z.string(), state: z.string(), n: z.number() }),
    ),
    oldest: z.array(z.object({ source: z.string(), queue: z.string(), failedAt: z.string() })),
    /** How many failed, by the hour, the last 24, the running one last. */
    failures: z.array(z.object({ source: z.string(), queue: z.string(), hours: z.array(z.number()) })),
    /** The same of all queues together, by what the letters are. */
    failuresByCategory: z.array(z.object({ category: z.enum(categories), hours: z.array(z.number()) })),
    /** How many were taken in of each queue, ever, and when the last of them was. */
    arrived: z.array(z.object({ source: z.string(), queue: z.string(), n: z.number(), lastAt: z.string().nullable() })),
  }),
  async run({ ledger, clock }) {
    const counts = [...(await countQueues(ledger))];
    const oldest = [...(await oldestPerQueue(ledger))];
    const failed = await failureHours(ledger, clock.now());
    return {
      ...{ counts, oldest, arrived: [...(await countArrivals(ledger))] },
      failures: failed.queues.map((each) => ({ ...each, hours: [...each.hours] })),
      failuresByCategory: failed.categories
        .map((each) => ({ ...each, hours: [...each.hours] }))
        .sort((one, other) => categories.indexOf(one.category) - categories.indexOf(other.category)),
    };
  },
});
