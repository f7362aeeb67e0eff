import { z } from "zod";
import { countQueues, oldestPerQueue } from "../../ledger/search/count-queues.ts";
import { findGroups, readGroup } from "../../ledger/search/find-groups.ts";
import { inboxOf } from "../inbox.ts";
import { groupSummary } from "./letter-shapes.ts";
import { operation } from "./operation.ts";

export const listGroups = operation({
  name: "groups.list",
  summary: "letters that failed alike, those with most open first",
  role: "viewer",
  input: z.object({
    q: z.string().default(""),
    limit: z.int().min(1).max(200).default(50),
    onlyOpen: z.boolean().default(false),
  }),
  output: z.object({ items: z.array(groupSummary), next: z.null() }),
  async run({ ledger, clock, retentionMs }, input) {
    const items = await findGroups(ledger, { ...input, now: clock.now(), retentionMs });
    return { items: items.map((each) => ({ ...each, hours: [...each.hours] })), next: null };
  },
});

export const getGroup = operation({
  name: "groups.get",
  summary: "one group",
  role: "viewer",
  input: z.object({ id: z.string() }),
  output: groupSummary,
  async run({ ledger, clock }, { id }) {
    const group = await readGroup(ledger, id, clock.now());
    return { ...group, hours: [...group.hours] };
  },
});

export const listInbox = operation({
  name: "inbox.list",
  summary: "what needs a decision, in the order in which to look at it",
  role: "viewer",
  input: z.object({ limit: z.int().min(1).max(200).default(50) }),
  output: z.object({
    items: z.array(
      groupSummary.extend({
        why: z.enum(["growing", "new", "aging", "active"]),
        nextStep: z.object({ code: z.string(), label: z.string() }),
      }),
    ),
    next: z.null(),
  }),
  async run({ ledger, clock, retentionMs }, { limit }) {
    const now = clock.now();
    const groups = await findGroups(ledger, { q: "", limit: 200, onlyOpen: true, now, retentionMs });
    const items = inboxOf(groups, now).slice(0, limit);
    return { items: items.map((each) => ({ ...each, hours: [...each.hours] })), next: null };
  },
});

export const listQueues = operation({
  name: "queues.list",
  summary: "letters by queue, category and state, and the oldest open one of each queue",
  role: "viewer",
  input: z.object({}),
  output: z.object({
    counts: z.array(
      z.object({ source: z.string(), queue: z.string(), category: z.string(), state: z.string(), n: z.number() }),
    ),
    oldest: z.array(z.object({ source: z.string(), queue: z.string(), arrivedAt: z.string() })),
  }),
  run: async ({ ledger }) => ({
    counts: [...(await countQueues(ledger))],
    oldest: [...(await oldestPerQueue(ledger))],
  }),
});
