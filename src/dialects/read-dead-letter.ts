import { type DeadLetter, emptyReading, type LetterReading } from "../domain/dead-letter.ts";
import { alwaysStripped } from "./always-stripped.ts";
import type { Dialect, Facts } from "./dialect.ts";
import { earlierErrors } from "./earlier-errors.ts";
import { readBodyReport } from "./home-made/body-envelope.ts";
import { readHomeMadeHeaders } from "./home-made/home-made-headers.ts";
import { readIdentity } from "./identity.ts";
import { type LetterView, viewOf } from "./letter-view.ts";
import { maySpeak } from "./may-speak.ts";

/**
 * Reads a dead letter in whatever dialects it speaks. Pure, and for any bytes whatever: it never throws.
 *
 * A library's own words are believed first, then what a team wrote by hand, then the broker's.
 */
export function readDeadLetter(letter: DeadLetter): LetterReading {
  const view = viewOf(letter);
  const { libraries, brokers } = maySpeak(view);
  const spoken = speaking(libraries, view);
  const routed = speaking(brokers, view);
  const marks = { strip: alwaysStripped(view) };
  const named = [...spoken, ...routed].map(({ facts }) => facts);
  const claimed = new Set([...named, marks].flatMap(({ strip = [] }) => strip));
  const all = [
    ...spoken.map(({ facts }) => facts),
    readHomeMadeHeaders(view, claimed),
    ...(spoken.length === 0 ? [readBodyReport(view)] : []),
    ...routed.map(({ facts }) => lessThan(facts, spoken)),
    readIdentity(view),
    marks,
  ];
  const dialects = [...spoken, ...routed].map(({ id }) => id);
  return complete(merge(all, dialects));
}

interface Spoken {
  readonly id: string;
  readonly facts: Facts;
}

function speaking(dialects: readonly Dialect[], view: LetterView): Spoken[] {
  const spoken: Spoken[] = [];
  for (const { id, read } of dialects) {
    const facts = read(view);
    if (facts !== null) spoken.push({ id, facts });
  }
  return spoken;
}

/** The first that knows a fact is believed; what must not travel is what any of them says must not. */
function merge(all: readonly Facts[], dialects: readonly string[]): LetterReading {
  const strip = [...new Set(all.flatMap((facts) => facts.strip ?? []))];
  // Whoever names the origin first, by queue or by route, knows it alone.
  const origin = all.find((facts) => (facts.destination ?? facts.via ?? null) !== null);
  const replay = { destination: null, alternatives: origin?.alternatives ?? [], via: null, strip };
  const best = { ...emptyReading, dialects, replay };
  for (const facts of all) {
    for (const name of Object.keys(facts)) {
      const known: Record<string, unknown> = name in replay ? replay : best;
      known[name] ??= facts[name as keyof Facts] ?? null;
    }
  }
  return { ...best, earlierErrors: earlierErrors(all, best) };
}

/** A broker saw one death, but its library had tried before: the first failure was not that one. */
function lessThan(facts: Facts, spoken: readonly Spoken[]): Facts {
  const isOneTime = facts.firstFailedAt !== undefined && facts.firstFailedAt === facts.lastFailedAt;
  const wasTriedBefore = spoken.some(({ facts: { attempts } }) => (attempts ?? 0) > 1);
  const knowsAttempts = spoken.some(({ facts: { attempts } }) => (attempts ?? null) !== null);
  const told = knowsAttempts ? { ...facts, attemptLog: undefined } : facts;
  return isOneTime && wasTriedBefore ? { ...told, firstFailedAt: undefined } : told;
}

/** What follows from the rest: a single failure is the first and the last; what never ran has no attempt. */
function complete(reading: LetterReading): LetterReading {
  const { attempts, firstFailedAt, lastFailedAt } = reading;
  if (attempts === 0) return { ...reading, attemptLog: null };
  if (attempts !== 1) return reading;
  return { ...reading, firstFailedAt: firstFailedAt ?? lastFailedAt, lastFailedAt: lastFailedAt ?? firstFailedAt };
}
