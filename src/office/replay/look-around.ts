import type { LetterReading } from "../../domain/dead-letter.ts";
import type { Candidate } from "../../ledger/read-candidates.ts";
import { whyNotAsked } from "../../sources/ask-broker.ts";
import type { ReturnOutlook } from "../../sources/return-outlook.ts";
import type { DestinationFacts } from "./facts.ts";
import type { ReplayParts, WantedPlace } from "./replay-parts.ts";

/** A letter with where it would go, as far as it and the configuration say; of several places none is the one. */
export interface BoundLetter {
  readonly candidate: Candidate;
  readonly wanted: WantedPlace | readonly string[];
}

export interface LookLimits {
  /** How long each answer of a broker is waited for, in milliseconds; null: as long as its client waits. */
  readonly withinMs: number | null;
  /**
   * Sources that could not be asked, each with why: filled here, and not asked again by whoever looks with the same map. Null: what
   * cannot be asked is thrown.
   */
  readonly notAsked: Map<string, string> | null;
}

/** What brokers show of letters, and of where they would go. */
export interface Surroundings {
  /** In the order of the letters. */
  readonly destinations: readonly DestinationFacts[];
  /** Of those that never left their place. */
  readonly outlooks: ReadonlyMap<Candidate, ReturnOutlook>;
}

/**
 * Asks all sources side by side, each place once, however many letters go there. A source that cannot be asked holds up no other, and
 * after its first failure it is not asked again: all its letters say why.
 */
export async function lookAround(
  parts: Pick<ReplayParts, "look" | "outlooks">,
  letters: readonly BoundLetter[],
  limits: LookLimits,
): Promise<Surroundings> {
  const destinations: DestinationFacts[] = [];
  const outlooks = new Map<Candidate, ReturnOutlook>();
  const sources = [...new Set(letters.map(({ candidate }) => candidate.source))];
  const around = await Promise.all(
    sources.map(async (source) => {
      const own = letters.filter(({ candidate }) => candidate.source === source);
      return { own, ...(await lookAtSource(parts, source, own, limits)) };
    }),
  );
  const found = new Map<BoundLetter, DestinationFacts>();
  for (const { own, places, returns } of around) {
    for (const [index, letter] of own.entries()) {
      found.set(letter, places[index] ?? { kind: "unknown" });
      const outlook = returns?.[index];
      if (outlook !== undefined) outlooks.set(letter.candidate, outlook);
    }
  }
  for (const letter of letters) destinations.push(found.get(letter) ?? { kind: "unknown" });
  return { destinations, outlooks };
}

interface SourceView {
  readonly places: readonly DestinationFacts[];
  readonly returns: readonly ReturnOutlook[] | null;
}

async function lookAtSource(
  { look, outlooks }: Pick<ReplayParts, "look" | "outlooks">,
  source: string,
  letters: readonly BoundLetter[],
  { withinMs, notAsked }: LookLimits,
): Promise<SourceView> {
  const limit = withinMs === null ? [] : [withinMs];
  const returns = await unlessNotAsked(source, notAsked, () => {
    return outlooks(
      source,
      letters.map(({ candidate }) => candidate),
      ...limit,
    );
  });
  const known = new Map<string, DestinationFacts>();
  const places: DestinationFacts[] = [];
  for (const { wanted } of letters) {
    const name = JSON.stringify(wanted);
    const place = known.get(name) ?? undemanding(wanted) ?? (await lookAt(wanted as WantedPlace));
    known.set(name, place);
    places.push(place);
  }
  return { places, returns: returns ?? null };

  async function lookAt(wanted: WantedPlace): Promise<DestinationFacts> {
    const found = await unlessNotAsked(source, notAsked, () => look(source, wanted, ...limit));
    return found ?? { kind: "not_asked", via: wanted.via, why: notAsked?.get(source) ?? source };
  }
}

/** Places of which no broker has to be asked. */
function undemanding(wanted: BoundLetter["wanted"]): DestinationFacts | null {
  if (!("queue" in wanted)) return { kind: "ambiguous", candidates: wanted };
  return wanted.queue === null && wanted.via === null ? { kind: "unknown" } : null;
}

/** Null where the source cannot be asked, now or a moment before. */
async function unlessNotAsked<Answer>(
  source: string,
  notAsked: LookLimits["notAsked"],
  ask: () => Promise<Answer>,
): Promise<Answer | null> {
  if (notAsked === null) return ask();
  if (notAsked.has(source)) return null;
  try {
    return await ask();
  } catch (error) {
    const why = whyNotAsked(error);
    if (why === null) throw error;
    notAsked.set(source, why);
    return null;
  }
}

/** Where it would go: what somebody named, else where it says it came from, of which there may be several. */
export function wantedOf({ replay }: LetterReading, named: string | null): BoundLetter["wanted"] {
  const { destination, alternatives, via } = replay;
  if (named !== null) return { queue: named, via: named === destination ? via : null };
  return destination === null || alternatives.length === 0
    ? { queue: destination, via }
    : [destination, ...alternatives];
}
