import { type BodyStore, readBody } from "../domain/body-store.ts";
import type { DeadLetter, LetterReading } from "../domain/dead-letter.ts";
import type { Candidate } from "../ledger/read-candidates.ts";

export interface LetterOpener {
  readonly read: (letter: DeadLetter) => LetterReading;
  readonly bodies: BodyStore | null;
}

/** A letter of the ledger, as whoever found it had it. */
export interface OpenedLetter {
  readonly letter: DeadLetter;
  readonly reading: LetterReading;
  /** The message as it was before anybody wrapped or failed it; null when its body is not at hand. */
  readonly payload: Uint8Array | null;
}

/** Reads a letter again from the bytes that were kept. */
export async function openLetter({ read, bodies }: LetterOpener, candidate: Candidate): Promise<OpenedLetter> {
  const { absent, message } = candidate;
  const body = absent === null ? message.body : absent.kind === "missing" ? null : await readBody(bodies, absent.ref);
  const letter = deadLetterOf(candidate, body ?? message.body);
  const reading = read(letter);
  return { letter, reading, payload: body === null ? null : (reading.payload ?? body) };
}

function deadLetterOf(candidate: Candidate, body: Uint8Array): DeadLetter {
  const { broker, drainedFrom, message, exchange, routingKey } = candidate;
  return {
    ...{ broker, queue: drainedFrom, message: { ...message, body }, exchange, routingKey },
    ...{ partition: null, offset: null, timestamp: null, redelivered: false },
  };
}
