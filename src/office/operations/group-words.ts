import { z } from "zod";
import { OfficeError } from "../../domain/errors.ts";
import { sayOfGroup } from "../attend/attend-group.ts";
import { groupTimeline } from "../attend/group-timeline.ts";
import { operation } from "./operation.ts";

/** Who looks after a group, and whether it asks for attention. */
export const attention = z.object({
  status: z.enum(["acknowledged", "snoozed"]).nullable(),
  by: z.string().nullable(),
  at: z.string().nullable(),
  until: z.string().nullable(),
  isUntilWorse: z.boolean(),
  reason: z.string().nullable(),
  /** Why it asks for attention again. */
  ended: z.string().nullable(),
  assignee: z.string().nullable(),
  /** The commit or version that brought the bug in, by a person's word. */
  introducedBy: z.string().nullable(),
  notes: z.number(),
});

const output = attention.extend({ group: z.string() });
const about = { id: z.string(), reason: z.string().trim().max(2_000).nullable().default(null) };
const common = { role: "operator", isScoped: true, output } as const;

export const acknowledgeGroup = operation({
  ...{ name: "groups.acknowledge", ...common, input: z.object(about) },
  summary: "says that a group was seen: it goes down in the inbox until it gets worse",
  run: ({ ledger, clock }, { id, reason: text }, actor) =>
    sayOfGroup(ledger, actor, { id, now: clock.now(), kind: "acknowledged", text }),
});

export const snoozeGroup = operation({
  ...{ name: "groups.snooze", ...common },
  summary: "keeps a group out of the inbox until a time, or until it gets worse, whichever comes first",
  input: z.object({
    ...about,
    until: z.iso.datetime({ offset: true }).nullable().default(null),
    untilWorse: z.boolean().default(false),
  }),
  run({ ledger, clock }, { id, reason: text, until, untilWorse: isUntilWorse }, actor) {
    if (until === null && !isUntilWorse)
      throw new OfficeError("INVALID_OPTION", "Say until when: `until`, a time, or `untilWorse`, or both.");
    const when = { until: until === null ? null : Date.parse(until), isUntilWorse };
    return sayOfGroup(ledger, actor, { id, now: clock.now(), kind: "snoozed", text, ...when });
  },
});

export const wakeGroup = operation({
  ...{ name: "groups.wake", ...common, input: z.object(about) },
  summary: "takes back that a group was acknowledged or snoozed",
  run: ({ ledger, clock }, { id, reason: text }, actor) =>
    sayOfGroup(ledger, actor, { id, now: clock.now(), kind: "woken", text }),
});

export const assignGroup = operation({
  ...{ name: "groups.assign", ...common },
  summary: "says who has a group: a person or a team",
  input: z.object({
    ...about,
    /** `me` is whoever asks; null: nobody any more. */
    to: z.string().trim().min(1).max(200).nullable(),
  }),
  run: ({ ledger, clock }, { id, reason: text, to }, actor) =>
    sayOfGroup(ledger, actor, { id, now: clock.now(), kind: "assigned", text, said: to === "me" ? actor.id : to }),
});

export const introduceGroup = operation({
  ...{ name: "groups.introducedBy", ...common },
  summary: "says which commit or version brought the bug of a group in, or takes that back",
  input: z.object({
    ...about,
    /** Null: it is not known any more. */
    commit: z.string().trim().min(1).max(500).nullable(),
  }),
  run: ({ ledger, clock }, { id, reason: text, commit: said }, actor) =>
    sayOfGroup(ledger, actor, { id, now: clock.now(), kind: "introduced", text, said }),
});

export const noteOnGroup = operation({
  ...{ name: "groups.note", ...common },
  summary: "adds a note to a group's history, which is never deleted",
  input: z.object({ id: z.string(), text: z.string().trim().min(1).max(10_000) }),
  run: ({ ledger, clock }, { id, text }, actor) =>
    sayOfGroup(ledger, actor, { id, now: clock.now(), kind: "noted", text }),
});

export const getTimeline = operation({
  name: "groups.timeline",
  summary: "what was said about a group, done with it and happened around it, newest first",
  role: "viewer",
  isScoped: true,
  input: z.object({ id: z.string(), limit: z.int().min(1).max(200).default(50) }),
  output: z.object({
    items: z.array(
      z.object({
        ...{ at: z.string(), kind: z.string(), by: z.string() },
        ...{ sentence: z.string(), text: z.string().nullable(), replay: z.string().nullable() },
      }),
    ),
    /** A deploy to its queue within the hour before its first letter: a coincidence, unless a person named it. */
    suspect: z
      .object({
        ...{ called: z.string(), deployedAt: z.string(), secondsBefore: z.number() },
        /** A person said that it introduced the group. */
        isIntroduction: z.boolean(),
      })
      .nullable(),
    next: z.null(),
  }),
  async run({ ledger, clock }, { id, limit }) {
    const { items, suspect } = await groupTimeline(ledger, { id, limit, now: clock.now() });
    return { items: [...items], suspect, next: null };
  },
});
