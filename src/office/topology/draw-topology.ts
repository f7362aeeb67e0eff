import type {
  DeadLetterQueue,
  ReplayTarget,
  Topology,
  TopologyConsumer,
  TopologyQueue,
  TopologySource,
  TopologyWarning,
} from "./topology.ts";
import { type ConnectedSource, isSamePlace, type Place, type TopologyFacts } from "./topology-facts.ts";
import { queueWarnings, sourceWarnings } from "./topology-warnings.ts";

/** What is to be drawn. */
export interface Drawn {
  readonly places: readonly Place[];
  /** These and what there is no room for. */
  readonly matching: readonly Place[];
  /** Whether a source is drawn though no place of it is; with a queue: whether that is, though no letter came from it lately. */
  readonly withQuiet: (source: string, queue?: string) => boolean;
}

/** Each source with what belongs to it, by name. */
export function drawTopology(facts: TopologyFacts, { places, matching, withQuiet }: Drawn): Topology {
  const connected = new Map(facts.connected.map((source) => [source.name, source]));
  const quietOf = (name: string) =>
    quietQueues(facts, connected.get(name), name).filter((queue) => withQuiet(name, queue));
  const quiet = facts.connected
    .filter(({ name, isSeen }) => isSeen && (withQuiet(name) || quietOf(name).length > 0))
    .map(({ name }) => name);
  const names = [...new Set([...matching.map(({ source }) => source), ...quiet])].sort();
  const leftOut = matching.filter((place) => !places.includes(place));
  const drawn = (name: string) => sourceOf(facts, connected.get(name), { name, places, leftOut, quiet: quietOf(name) });
  return {
    sources: names.map(drawn),
    ...{ shown: places.length, matching: matching.length, unexplored: facts.unexplored },
  };
}

interface SourceToDraw {
  readonly name: string;
  readonly places: readonly Place[];
  readonly leftOut: readonly Place[];
  readonly quiet: readonly string[];
}

/**
 * Dead-letter queues that are looked after, and that no letter came from lately: by the letters of all queues, drawn or not. Where
 * not all could be looked at, nobody can say so of any.
 */
function quietQueues(facts: TopologyFacts, connected: ConnectedSource | undefined, name: string): readonly string[] {
  if (facts.unexplored > 0) return [];
  const isHere = ({ source }: { readonly source: string }) => source === name;
  const heard = new Set(facts.routes.filter(isHere).flatMap(({ deadLetters }) => deadLetters));
  const drained = facts.drained.filter(isHere).map(({ queue }) => queue);
  return [...new Set([...(connected?.named ?? []), ...drained])].filter((queue) => !heard.has(queue)).sort();
}

function sourceOf(
  facts: TopologyFacts,
  connected: ConnectedSource | undefined,
  { name, places, leftOut, quiet }: SourceToDraw,
): TopologySource {
  const isHere = ({ source }: Place) => source === name;
  const left = leftOut.filter(isHere);
  const queues = places.filter(isHere).map((place) => queueOf(facts, connected, place));
  return {
    name,
    broker: connected?.broker ?? facts.brokers.get(name) ?? null,
    owner: connected?.owner ?? null,
    queues,
    leftOut: { queues: left.length, open: left.reduce((sum, { open }) => sum + open, 0) },
    quiet: quiet.map((queue) => deadLettersOf(facts, connected, { source: name, queue })),
    warnings: sourceWarnings(facts, { name, isConnected: connected !== undefined }),
  };
}

function queueOf(facts: TopologyFacts, connected: ConnectedSource | undefined, place: Place): TopologyQueue {
  const { source, queue, open, failedLately } = place;
  const route = facts.routes.find((each) => isSamePlace(each, place));
  const deadLetters = (route?.deadLetters ?? []).map((each) =>
    deadLettersOf(facts, connected, { source, queue: each }),
  );
  const breakers = facts.breakers
    .filter((each) => isSamePlace(each, place))
    .map(({ name, state }) => ({ name, state }));
  const drawn = {
    ...{ name: queue, open, failedLately, deadLetters, breakers, consumers: consumersOf(facts, place) },
    replaysTo: targetsOf(connected, queue, { deadLetters, sentTo: route?.sentTo ?? [] }),
  };
  return { ...drawn, warnings: warningsOf(facts, place, drawn) };
}

function warningsOf(
  facts: TopologyFacts,
  place: Place,
  drawn: Omit<TopologyQueue, "warnings">,
): readonly TopologyWarning[] {
  const isGone = sourceWarnings(facts, {
    name: place.source,
    isConnected: facts.connected.some(({ name }) => name === place.source),
  }).some(({ code }) => code === "source.gone");
  return queueWarnings(facts, place, { ...drawn, isGone });
}

function deadLettersOf(
  { drained, isDemo }: TopologyFacts,
  connected: ConnectedSource | undefined,
  place: { readonly source: string; readonly queue: string },
): DeadLetterQueue {
  const { queue: name } = place;
  if (drained.some((each) => isSamePlace(each, place))) return { name, fate: "drained" };
  const fate = connected?.fateOf(name) ?? (isDemo ? "drain" : "leave alone");
  const fates = { drain: "not drained", observe: "observed", "leave alone": "left alone" } as const;
  return { name, fate: fate === "read in place" ? fate : fates[fate] };
}

/** Versions at work; where none is, the one that was heard of last. */
function consumersOf({ consumers }: TopologyFacts, place: Place): readonly TopologyConsumer[] {
  const here = consumers.filter((each) => isSamePlace(each, place));
  const atWork = here.filter(({ instances }) => instances > 0);
  const heard = ({ lastSeenAt }: (typeof here)[number]) => lastSeenAt ?? "";
  const last = here.toSorted((one, other) => heard(other).localeCompare(heard(one))).slice(0, 1);
  return (atWork.length > 0 ? atWork : last).map(({ service, version, instances }) => ({
    service,
    version,
    instances,
  }));
}

interface Routed {
  readonly deadLetters: readonly DeadLetterQueue[];
  readonly sentTo: readonly string[];
}

/** Where a replay would land as things are, and where others landed lately. */
function targetsOf(
  connected: ConnectedSource | undefined,
  queue: string,
  { deadLetters, sentTo }: Routed,
): readonly ReplayTarget[] {
  const configured = deadLetters.map(({ name }) => connected?.replayTo(name) ?? null);
  const named = [...new Set(configured.filter((each) => each !== null))];
  const isOrigin = configured.length === 0 || configured.includes(null);
  const planned: readonly ReplayTarget[] = [
    ...(isOrigin ? [{ queue, because: "origin" as const }] : []),
    ...named.map((each) => ({ queue: each, because: "configured" as const })),
  ];
  const others = sentTo.filter((each) => !planned.some((target) => target.queue === each));
  return [...planned, ...others.map((each) => ({ queue: each, because: "sent" as const }))];
}
