import { OfficeError } from "../domain/errors.ts";
import type { Message } from "../domain/message.ts";

/** How much is looked at. */
export interface PeekLimits {
  readonly most: number;
  /** A message with more bytes is named, and its body left where it is. */
  readonly bytesEach: number;
  /** Nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** A message where it lies. */
export interface Peeked {
  readonly position: string | null;
  readonly message: Message;
  /** Its body was left where it is, and has so many bytes. @default it is here */
  readonly missingBodyBytes?: number;
}

/** The first messages of a queue, as far as the office has not taken them, read without a trace. */
export type Peek = (queue: string, limits: PeekLimits) => Promise<readonly Peeked[]>;

/** Where looking is not without a trace: says what it would do, and what to do instead. */
export function noPeek(why: string, instead: string): Peek {
  return async (queue) => {
    throw new OfficeError("PEEK_REFUSED", `${why} So \`${queue}\` is not looked into.`, {
      details: { queue, hint: instead },
    });
  };
}

export function noSuchQueue(queue: string): OfficeError {
  const hint = "`dlo sources discover` lists those it has.";
  return new OfficeError("QUEUE_NOT_FOUND", `There is no queue \`${queue}\` there. ${hint}`, { details: { queue } });
}

/** Of what its broker gives only as a whole, no more than what is shown stays in memory. */
export function peeked(position: string | null, message: Message, { bytesEach }: PeekLimits): Peeked {
  const { body } = message;
  return body.byteLength <= bytesEach
    ? { position, message }
    : { position, message: { ...message, body: new Uint8Array() }, missingBodyBytes: body.byteLength };
}
