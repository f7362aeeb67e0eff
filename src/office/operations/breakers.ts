import { z } from "zod";
import { type SharedBreaker, type ShownBreaker, showBreaker, steerBreaker } from "../breakers/steer-breaker.ts";
import { operation } from "./operation.ts";
import { reportedBreaker } from "./watch.ts";

const place = {
  name: z.string().min(1).max(200),
  /** The source whose PostgreSQL or Redis has its state, if it is not the one its consumers report on. */
  store: z.string().min(1).max(64).nullable().default(null),
};
const phase = z.enum(["closed", "open", "half-open"]);

const sharedBreaker = z.object({
  /** The source that has it. */
  store: z.string(),
  state: phase,
  /** Somebody opened it by hand, and that is not over. */
  isForced: z.boolean(),
  since: z.string(),
  /** When probes are let through again; null where it is not open, or a consumer holds it open without an end. */
  openUntil: z.string().nullable(),
  /** The latest changes, the newest last. */
  transitions: z.array(z.object({ from: phase, to: phase, at: z.string(), because: z.string() })),
  counters: z.object({ succeeded: z.number(), failed: z.number(), denied: z.number(), opened: z.number() }),
});

export const getBreaker = operation({
  name: "breakers.get",
  summary: "one breaker: how its consumers report it and, where they share its state, what it did lately and why",
  role: "viewer",
  input: z.object(place),
  output: z.object({
    items: z.array(reportedBreaker),
    shared: sharedBreaker.nullable(),
    /** Why the office cannot open or release it; null where it can. */
    why: z.string().nullable(),
  }),
  async run(office, input) {
    const { reported, shared, why }: ShownBreaker = await showBreaker(office, input);
    return { items: reported.map((each) => ({ ...each })), shared: shared === null ? null : shown(shared), why };
  },
});

export const forceBreakerOpen = operation({
  name: "breakers.force",
  summary:
    "opens a breaker whose state is shared, for a time that has an end: its consumers let nothing through until then",
  role: "operator",
  input: z.object({
    ...place,
    /** How long it stays open, in seconds. It ends by itself, though nobody releases it. */
    forSeconds: z.number().min(10).max(86_400),
    /** Also where it would be open for longer than that; otherwise such an order is refused. */
    shorten: z.boolean().default(false),
    reason: z.string().trim().min(1).max(500),
  }),
  output: sharedBreaker,
  async run(office, { forSeconds, shorten, reason, ...at }, actor) {
    const order = { kind: "force_open", forMs: forSeconds * 1_000, mayShorten: shorten, reason } as const;
    return shown(await steerBreaker(office, actor, { ...at, order }));
  },
});

const withReason = { ...place, reason: z.string().trim().max(500).default("") };

export const releaseBreaker = operation({
  name: "breakers.release",
  summary: "ends what somebody forced open: probes are let through at once, and what they come to decides",
  role: "operator",
  input: z.object(withReason),
  output: sharedBreaker,
  run: async (office, { reason, ...at }, actor) =>
    shown(await steerBreaker(office, actor, { ...at, order: { kind: "release", reason } })),
});

export const probeBreaker = operation({
  name: "breakers.probe",
  summary: "lets an open breaker try a message at once, before its time is over",
  role: "operator",
  input: z.object(withReason),
  output: sharedBreaker,
  run: async (office, { reason, ...at }, actor) =>
    shown(await steerBreaker(office, actor, { ...at, order: { kind: "probe", reason } })),
});

function shown({ store, snapshot, isForced }: SharedBreaker): z.input<typeof sharedBreaker> {
  const { phase: state, since, openUntil, transitions, counters } = snapshot;
  const at = (ms: number) => new Date(ms).toISOString();
  return {
    ...{ store, state, isForced, since: at(since), openUntil: openUntil === null ? null : at(openUntil) },
    transitions: transitions.map((each) => ({ from: each.from, to: each.to, at: at(each.at), because: each.because })),
    counters: { ...counters },
  };
}
