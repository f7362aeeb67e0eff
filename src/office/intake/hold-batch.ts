import type { HoldOutcome, HoldRequest } from "../../ledger/hold-letters.ts";
import { holdLetters } from "../../ledger/hold-letters.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { NewLetter } from "../../ledger/new-letter.ts";
import { wordVector } from "../../ledger/word-vector.ts";

/**
 * Holds a batch whatever is in it. A value that PostgreSQL will not take fails its whole batch: the letter it is in is
 * found by halving, and kept with its bytes but without whatever was read from them.
 */
export async function holdBatch(ledger: Ledger, request: HoldRequest): Promise<readonly HoldOutcome[]> {
  try {
    return await holdLetters(ledger, request);
  } catch (error) {
    if (!isAboutData(error)) throw error;
    const { letters } = request;
    const [only] = letters;
    if (letters.length === 1 && only !== undefined) return holdLetters(ledger, { ...request, letters: [inert(only)] });
    const middle = Math.ceil(letters.length / 2);
    return [
      ...(await holdBatch(ledger, { ...request, letters: letters.slice(0, middle) })),
      ...(await holdBatch(ledger, { ...request, letters: letters.slice(middle) })),
    ];
  }
}

/** Data exceptions, broken constraints, limits exceeded, numbers out of range: asked again, it is refused again. */
function isAboutData(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  return error instanceof Error && "code" in error && /^(22|23|54)\w{3}$/.test(String(error.code));
}

function inert(letter: NewLetter): NewLetter {
  const { content } = letter;
  return {
    ...letter,
    queue: letter.drainedFrom,
    classification: {
      category: "unknown",
      confidence: 0,
      rule: "office/unstorable",
      why: "The ledger could not store what was read from this letter. Its bytes are kept as they came.",
      sideEffect: "uncertain",
      runnerUp: null,
    },
    tags: [],
    fingerprint: { id: "0000000000000000", parts: [] },
    placement: null,
    error: { class: null, message: null, code: null, stack: null },
    times: {
      ...letter.times,
      enqueuedAt: null,
      expiresAt: null,
      firstFailedAt: null,
      failedAt: letter.times.arrivedAt,
      failedAtBy: "arrival",
    },
    attempts: null,
    names: { type: null, key: null, orderKey: null, tenant: null, trace: null, consumer: null },
    content: {
      ...content,
      exchange: null,
      routingKey: null,
      reading: Buffer.from("{}"),
      cut: { meaning: 1 },
    },
    keys: [],
    words: wordVector(new Map()),
  };
}
