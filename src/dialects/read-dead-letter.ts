import { type DeadLetter, emptyReading, type LetterReading } from "../domain/dead-letter.ts";
import type { Dialect, Facts } from "./dialect.ts";
import { viewOf } from "./letter-view.ts";
import { office } from "./office.ts";

/** In the order in which they are believed where two say different things. */
const dialects: readonly Dialect[] = [office];

/** Reads a dead letter in whatever dialects it speaks. Pure, and for any bytes whatever: it never throws. */
export function readDeadLetter(letter: DeadLetter): LetterReading {
  const view = viewOf(letter);
  const spoken = dialects.flatMap(({ id, read }) => {
    const facts = read(view);
    return facts === null ? [] : [{ id, facts }];
  });
  return {
    ...merge(spoken.map(({ facts }) => facts)),
    dialects: spoken.map(({ id }) => id),
  };
}

/** The first that knows a fact is believed; what must not travel is what any of them says must not. */
function merge(all: readonly Facts[]): LetterReading {
  const best = all.reduceRight<Facts>((sum, facts) => overlay(sum, facts), {});
  const { destination = null, via = null, strip: _, ...known } = best;
  const strip = [...new Set(all.flatMap((facts) => facts.strip ?? []))];
  return { ...overlay(emptyReading, known), replay: { destination, via, strip } };
}

/** `below`, with what `above` knows in place of what it says. */
function overlay<Known extends Facts>(below: Known, above: Facts): Known {
  const known = Object.entries(above).filter(([, value]) => value !== undefined && value !== null);
  return { ...below, ...Object.fromEntries(known) };
}
