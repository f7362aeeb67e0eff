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
      other.arrivedLately - one.arrivedLately ||
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

/** What is in focus, with what hangs together with it. */
export function inFocus(facts: TopologyFacts, { focus, source, hops }: Focus): readonly Place[] {
  const places = facts.places.filter((place) => source === null || place.source === source);
  if (focus === "") return places;
  let found = places.filter((place) => isFocused(facts, place, focus));
  for (let hop = 0; hop < hops; hop++) {
    const names = new Set(found.flatMap((place) => linksOf(facts, place)));
    found = places.filter((place) => found.includes(place) || linksOf(facts, place).some((link) => names.has(link)));
  }
  return found;
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
