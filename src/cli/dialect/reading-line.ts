import type { Json, JsonObject } from "../../dialects/json.ts";
import type { Classification } from "../../domain/classification.ts";
import type { LetterReading } from "../../domain/dead-letter.ts";

type Verdict = Pick<Classification, "category" | "why">;

/** A reading for programs: times as ISO 8601, the rest as it is. */
export function readingLine(id: Json, reading: LetterReading, verdict: Verdict): JsonObject {
  const { destination, alternatives, via, strip } = reading.replay;
  return {
    id,
    dialects: reading.dialects,
    source: reading.source,
    partition: reading.partition,
    offset: reading.offset,
    errorClass: reading.errorClass,
    errorMessage: reading.errorMessage,
    stack: reading.stack,
    attempts: reading.attempts,
    firstFailedAt: isoOf(reading.firstFailedAt),
    lastFailedAt: isoOf(reading.lastFailedAt),
    expiresAt: isoOf(reading.expiresAt),
    replay: { destination, alternatives, via: via === null ? null : { ...via }, strip },
    category: verdict.category,
    why: verdict.why,
  };
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
