import { isSamePlace, type Place, type TopologyFacts } from "./topology-facts.ts";

/** Which part is looked at. */
export interface Focus {
  /** A source, queue, `source/queue`, dead-letter queue or service; empty: all. */
  readonly focus: string;
  /** Only of this source; null: of all. */
  readonly source: string | null;
  /** How many steps around the focus are shown. */
  readonly hops: number;
}

/** Those with most open letters first; so what is left out matters least. */
export function byWeight(places: readonly Place[]): readonly Place[] {
  return places.toSorted(
    (one, other) =>
      other.open - one.open ||
      other.failedLately - one.failedLately ||
      one.source.localeCompare(other.source) ||
      one.queue.localeCompare(other.queue),
  );
}

/** Whether a name leads straight to this place. */
export function isFocused(facts: Pick<TopologyFacts, "consumers" | "routes">, place: Place, focus: string): boolean {
  const { source, queue } = place;
  if ([source, queue, `${source}/${queue}`].includes(focus)) return true;
  const isHere = (each: { readonly source: string; readonly queue: string }) => isSamePlace(each, place);
  return (
    facts.consumers.some((each) => isHere(each) && each.service === focus) ||
    facts.routes.some(
      (each) => isHere(each) && each.deadLetters.some((name) => [name, `${source}/${name}`].includes(focus)),
    )
  );
}

/** Whether a source without letters is looked at, or one of its dead-letter queues that none came from. */
export function isQuietInFocus(
  { focus, source: only }: Pick<Focus, "focus" | "source">,
  source: string,
  queue?: string,
): boolean {
  if (only !== null && only !== source) return false;
  return focus === "" || focus === source || (queue !== undefined && [queue, `${source}/${queue}`].includes(focus));
}

/** What is in focus, with what hangs together with it. */
export function inFocus(facts: TopologyFacts, { focus, source, hops }: Focus): readonly Place[] {
  const places = facts.places.filter((place) => source === null || place.source === source);
  if (focus === "") return places;
  const found = new Set(places.filter((place) => isFocused(facts, place, focus)));
  const links = new Map(hops === 0 ? [] : places.map((place) => [place, linksOf(facts, place)]));
  for (let hop = 0; hop < hops; hop++) {
    const names = new Set([...found].flatMap((place) => links.get(place) ?? []));
    for (const [place, own] of links) if (own.some((link) => names.has(link))) found.add(place);
  }
  return places.filter((place) => found.has(place));
}

/** Names by which places hang together: who works on both, where their letters lie, where they are sent. */
function linksOf({ consumers, routes, connected }: TopologyFacts, place: Place): readonly string[] {
  const replayTo = connected.find(({ name }) => name === place.source)?.replayTo;
  const services = consumers.filter((each) => isSamePlace(each, place)).map(({ service }) => `service ${service}`);
  const route = routes.find((each) => isSamePlace(each, place));
  const inSource = (kind: string, name: string) => `${kind} ${place.source}/${name}`;
  const deadLetters = route?.deadLetters ?? [];
  const sentTo = [...(route?.sentTo ?? []), ...deadLetters.flatMap((name) => replayTo?.(name) ?? [])];
  return [
    ...services,
    ...deadLetters.map((name) => inSource("dead letters", name)),
    ...[place.queue, ...sentTo].map((name) => inSource("queue", name)),
  ];
}
