import type { TopologyQueue, TopologyWarning } from "./topology.ts";
import { isSamePlace, type Place, type TopologyFacts } from "./topology-facts.ts";

interface SourceLookedAt {
  readonly name: string;
  readonly isConnected: boolean;
}

/** What is wrong with a source as a whole. */
export function sourceWarnings(
  { drained, isDemo }: TopologyFacts,
  { name, isConnected }: SourceLookedAt,
): readonly TopologyWarning[] {
  if (isConnected || isDemo || drained.some(({ source }) => source === name)) return [];
  const sentence = `Source ${name} is not connected any more: nothing is taken in from it, and nothing can be sent back. Connect it again.`;
  return [{ code: "source.gone", sentence }];
}

interface LookedAt extends Omit<TopologyQueue, "warnings"> {
  readonly isGone: boolean;
}

/** What does not hold together around one queue. Of a source that is gone, that it is gone is enough. */
export function queueWarnings(facts: TopologyFacts, place: Place, queue: LookedAt): readonly TopologyWarning[] {
  return [
    ...(queue.isGone ? [] : drainWarnings(facts, place, queue)),
    ...cycleWarnings(queue),
    ...silenceWarnings(place, queue),
    ...queue.breakers
      .filter(({ state }) => state === "open")
      .map(({ name }): TopologyWarning => {
        return {
          code: "breaker.open",
          sentence: `Breaker ${name} is open: no letter is sent to ${place.queue} until it closes.`,
        };
      }),
  ];
}

function drainWarnings({ troubles }: TopologyFacts, { source }: Place, queue: LookedAt): readonly TopologyWarning[] {
  return queue.deadLetters.flatMap(({ name, fate }): readonly TopologyWarning[] => {
    const trouble = troubles.find((each) => isSamePlace(each, { source, queue: name }))?.trouble;
    if (trouble !== undefined) return [{ code: "drain.troubled", sentence: `${name} cannot be drained: ${trouble}` }];
    if (fate === "not drained")
      return [
        { code: "drain.stopped", sentence: `No process drains ${name} now, though one should. Is an office at work?` },
      ];
    if (fate === "observed" || fate === "left alone")
      return [
        {
          code: "drain.missing",
          sentence: `Nothing drains ${name}: what dies there is not taken in. Have it drained on the page of sources.`,
        },
      ];
    return [];
  });
}

/** What a replay sends into a dead-letter queue comes back as a new letter, for ever. */
function cycleWarnings({ name, deadLetters, replaysTo }: LookedAt): readonly TopologyWarning[] {
  const round = replaysTo.filter(({ queue }) => queue !== name && deadLetters.some((each) => each.name === queue));
  return round.map(({ queue }) => {
    const sentence = `Replays of ${name} go to ${queue}, which is drained into the ledger again. Change replayTo of it.`;
    return { code: "replay.cycle", sentence };
  });
}

function silenceWarnings({ queue, open }: Place, { consumers }: LookedAt): readonly TopologyWarning[] {
  const [last] = consumers;
  if (open === 0 || last === undefined || consumers.some(({ instances }) => instances > 0)) return [];
  const who = `${last.service} ${last.version}`;
  return [{ code: "consumer.silent", sentence: `Nobody reports to be at work on ${queue}: ${who} was heard of last.` }];
}
