import { type FailureEvidence, noEvidence } from "../domain/classification.ts";
import type { DeadLetter, LetterReading } from "../domain/dead-letter.ts";
import { headerText } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";

/** How much of a stack and a payload triage looks at. */
const stackCharacters = 65_536;
const stackLines = 200;
const excerptBytes = 2_000;

/** What triage may look at, of a letter that was read. */
export function failureEvidence({ broker, message }: DeadLetter, reading: LetterReading): FailureEvidence {
  const body = reading.payload ?? message.body;
  const excerpt = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, excerptBytes));
  return {
    ...noEvidence,
    errorClass: reading.errorClass,
    message: reading.errorMessage,
    code: reading.errorCode,
    httpStatus: reading.httpStatus,
    stack: thrownStack(reading).slice(0, stackCharacters).split("\n", stackLines),
    attempts: reading.attempts,
    payloadExcerpt: excerpt.toString(),
    ecosystem: broker,
    ownWord: headerText(message.headers, wire.category) ?? null,
  };
}

/** From where the failure begins: what a framework wraps around it speaks of the framework. */
function thrownStack({ stack, errorClass }: LetterReading): string {
  const from = stack === null || errorClass === null ? -1 : stack.indexOf(`\nCaused by: ${errorClass}`);
  return from < 0 ? (stack ?? "") : (stack ?? "").slice(from + 1);
}
