import type { Json } from "../../src/dialects/json.ts";
import { readNotation } from "../../src/dialects/notation/read-notation.ts";
import { readDeadLetter } from "../../src/dialects/read-dead-letter.ts";
import type { DeadLetter, LetterReading } from "../../src/domain/dead-letter.ts";

/** A dead letter that a library really made, with what is known to be so of it. */
export interface ForeignLetter {
  readonly id: string;
  readonly library: string;
  readonly version: string;
  readonly fixture: Json;
  readonly truth: Truth;
}

export interface Truth {
  readonly dialects: readonly string[];
  readonly source: string | null;
  readonly partition: number | null;
  readonly offset: number | null;
  readonly errorClass: string | null;
  readonly errorClassAsWritten?: string;
  readonly errorMessage: string | null;
  readonly attempts: number | null;
  readonly firstFailedAt: string | null;
  readonly lastFailedAt: string | null;
  readonly replay: {
    readonly destination: string | null;
    readonly via?: { readonly exchange?: string; readonly routingKey?: string };
    readonly strip: readonly string[];
  };
  readonly known: readonly string[];
}

export type Mark = "right" | "missing" | "wrong";

export interface MarkedFact {
  readonly id: string;
  readonly library: string;
  readonly fact: string;
  readonly mark: Mark;
  readonly known: boolean;
  readonly expected: unknown;
  readonly found: unknown;
}

/** Ids that were given only after the letters were made: their truth does not name them. */
const laterIds = new Set([
  "celery",
  "rascal",
  "dramatiq",
  "symfony-messenger",
  "asynq",
  "rq",
  "graphile-worker",
  "procrastinate",
  "delayed-job",
  "machinery",
  "arq",
  "huey",
  "laravel",
]);

/** Logs and brokers have clocks of their own. */
const toleranceMs = 1_500;

export function markLetter({ id, library, fixture, truth }: ForeignLetter): MarkedFact[] {
  const { letter } = readNotation(fixture);
  const reading = readDeadLetter(letter);
  return Object.entries(comparisons(reading, truth, letter)).flatMap(([fact, { expected, found, equal }]) => {
    const known =
      truth.known.includes(fact) ||
      (fact.startsWith("replay.") && truth.known.includes("replay") && fact !== "replay.via");
    const isEmpty =
      found === null || (fact === "dialects" && reading.dialects.length === 0 && truth.dialects.length > 0);
    if (!known && (isEmpty || equal)) return [];
    return [
      { id, library, fact, known, expected, found, mark: equal ? "right" : isEmpty ? "missing" : "wrong" } as const,
    ];
  });
}

interface Comparison {
  readonly expected: unknown;
  readonly found: unknown;
  readonly equal: boolean;
}

function comparisons(reading: LetterReading, truth: Truth, letter: DeadLetter): Record<string, Comparison> {
  const dialects = reading.dialects.filter((id) => !laterIds.has(id) || truth.dialects.includes(id));
  const strip = expand(truth.replay.strip, letter);
  return {
    dialects: compare([...truth.dialects].sort(), [...dialects].sort()),
    source: compare(truth.source, reading.source),
    partition: compare(truth.partition, reading.partition),
    offset: compare(truth.offset, reading.offset === null ? null : Number(reading.offset)),
    errorClass: either(
      compare(truth.errorClass, reading.errorClass),
      compare(truth.errorClassAsWritten, reading.errorClass),
    ),
    errorMessage: compare(truth.errorMessage, reading.errorMessage),
    attempts: compare(truth.attempts, reading.attempts),
    firstFailedAt: compareTimes(truth.firstFailedAt, reading.firstFailedAt),
    lastFailedAt: compareTimes(truth.lastFailedAt, reading.lastFailedAt),
    "replay.destination": compare(truth.replay.destination, reading.replay.destination),
    "replay.via": compare(truth.replay.via ?? reading.replay.via, reading.replay.via),
    "replay.strip": compare(strip, [...reading.replay.strip].sort()),
  };
}

function compare(expected: unknown, found: unknown): Comparison {
  return { expected, found, equal: JSON.stringify(expected) === JSON.stringify(found) };
}

function either(first: Comparison, second: Comparison): Comparison {
  return second.equal ? second : first;
}

function compareTimes(expected: string | null, found: number | null): Comparison {
  const near = expected !== null && found !== null && Math.abs(Date.parse(expected) - found) <= toleranceMs;
  return {
    expected,
    found: found === null ? null : new Date(found).toISOString(),
    equal: near || (expected === null && found === null),
  };
}

/** Truth names some headers by a pattern; a reading names those that are there. */
function expand(patterns: readonly string[], letter: DeadLetter): string[] {
  const present = [...new Set(letter.message.headers.map(({ name }) => name))];
  const matching = patterns.flatMap((pattern) =>
    pattern.endsWith("*")
      ? present.filter((name) => name.startsWith(pattern.slice(0, -1)))
      : present.length === 0 || present.includes(pattern)
        ? [pattern]
        : [],
  );
  return [...new Set(matching)].sort();
}
