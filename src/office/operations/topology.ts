import { z } from "zod";
import { drawTopology } from "../topology/draw-topology.ts";
import { byWeight, inFocus, isQuietInFocus } from "../topology/focus.ts";
import { gatherTopology } from "../topology/gather-topology.ts";
import type { Topology, TopologyQueue, TopologySource } from "../topology/topology.ts";
import { operation } from "./operation.ts";

/** More than these nobody can read in one drawing. */
const queuesShown = 60;

const warnings = z.array(z.object({ code: z.string(), sentence: z.string() }));

const deadLetters = z.array(
  z.object({
    name: z.string(),
    fate: z.enum(["drained", "not drained", "read in place", "observed", "left alone"]),
  }),
);

const queue = z.object({
  name: z.string(),
  open: z.number(),
  /** In the running hour and the one before. */
  failedLately: z.number(),
  /** Versions at work; where none is, the one heard of last with 0 instances. */
  consumers: z.array(z.object({ service: z.string(), version: z.string(), instances: z.number() })),
  breakers: z.array(z.object({ name: z.string(), state: z.enum(["closed", "half-open", "open"]) })),
  /** Where its latest letters were found. */
  deadLetters,
  /** Where a replay of its letters lands, and where one landed lately. */
  replaysTo: z.array(z.object({ queue: z.string(), because: z.enum(["origin", "configured", "sent"]) })),
  warnings,
});

export const getTopology = operation({
  name: "topology.get",
  summary: "where messages go: queues, who consumes them, where they die, what takes them in, where a replay lands",
  role: "viewer",
  isScoped: true,
  isShared: true,
  input: z.object({
    /** A source, queue, `source/queue`, dead-letter queue or service, and what hangs together with it; empty: all. */
    focus: z.string().max(600).default(""),
    /** Only of this source. */
    source: z.string().max(64).nullable().default(null),
    /** How many steps around the focus. */
    hops: z.int().min(0).max(3).default(1),
  }),
  output: z.object({
    sources: z.array(
      z.object({
        name: z.string(),
        broker: z.string().nullable(),
        owner: z.string().nullable(),
        queues: z.array(queue),
        /** What matches and is not among them. `queues.list` has them all. */
        leftOut: z.object({ queues: z.number(), open: z.number() }),
        /** Dead-letter queues that are looked after, and that no letter came from lately. */
        quiet: deadLetters,
        warnings,
      }),
    ),
    /** Queues that are shown, those with most open letters, of all that match. */
    shown: z.number(),
    matching: z.number(),
    /** Queues whose letters were not looked at, since there are too many: where these die is not known, until one is in focus. */
    unexplored: z.number(),
  }),
  async run(office, input) {
    const facts = await gatherTopology(office, input.focus);
    const found = inFocus(facts, input);
    const withQuiet = (name: string, queue?: string) => isQuietInFocus(input, name, queue);
    const places = byWeight(found).slice(0, queuesShown);
    return shownTopology(drawTopology(facts, { places, matching: found, withQuiet }));
  },
});

/** As the door's schema has it. */
function shownTopology({ sources, ...counts }: Topology) {
  return { ...counts, sources: sources.map(shownSource) };
}

function shownSource({ queues, quiet, warnings: said, ...source }: TopologySource) {
  return { ...source, queues: queues.map(shownQueue), quiet: [...quiet], warnings: [...said] };
}

function shownQueue(shown: TopologyQueue) {
  return {
    ...{ name: shown.name, open: shown.open, failedLately: shown.failedLately },
    ...{ consumers: [...shown.consumers], breakers: [...shown.breakers], deadLetters: [...shown.deadLetters] },
    ...{ replaysTo: [...shown.replaysTo], warnings: [...shown.warnings] },
  };
}
