import { type FailureEvidence, noEvidence } from "../domain/classification.ts";
import type { DeadLetter, LetterReading } from "../domain/dead-letter.ts";
import { memo } from "../domain/memo.ts";
import { headerText } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";

/** How much of a name, a stack and a payload triage looks at. Of a class, what the ledger keeps: no program has longer names. */
const classCharacters = 200;
const stackCharacters = 65_536;
const stackLines = 200;
const excerptBytes = 2_000;

/** What triage may look at, of a letter that was read. */
export function failureEvidence({ broker, message }: DeadLetter, reading: LetterReading): FailureEvidence {
  const body = reading.payload ?? message.body;
  const excerpt = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, excerptBytes));
  return {
    ...noEvidence,
    errorClass: reading.errorClass?.slice(0, classCharacters) ?? null,
    message: reading.errorMessage,
    code: reading.errorCode,
    httpStatus: reading.httpStatus,
    stack: linesOf(thrownStack(reading).slice(0, stackCharacters)),
    attempts: reading.attempts,
    payloadExcerpt: excerpt.toString(),
    ecosystem: broker,
    earlier: reading.earlierErrors,
    ownWord: headerText(message.headers, wire.category) ?? null,
  };
}

/**
 * The lines under the first, by the text of them all. Letters by the thousand have the same frames under a message of their
 * own, and whoever looks lines up is quicker with the very same strings than with equal ones.
 */
const framesIn = memo((text) => text.split("\n", stackLines - 1), { most: 1_024, longest: 8_192 });

function linesOf(stack: string): readonly string[] {
  const end = stack.indexOf("\n");
  return end < 0 ? [stack] : [stack.slice(0, end), ...framesIn(stack.slice(end + 1))];
}

/** From where the failure begins: what a framework wraps around it speaks of the framework. */
function thrownStack({ stack, errorClass }: LetterReading): string {
  const from = stack === null || errorClass === null ? -1 : stack.indexOf(`\nCaused by: ${errorClass}`);
  return from < 0 ? (stack ?? "") : (stack ?? "").slice(from + 1);
}
