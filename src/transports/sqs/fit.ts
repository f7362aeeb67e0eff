import type { BodyStore } from "../../domain/body-store.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { Message } from "../../domain/message.ts";
import { lightened } from "../lightened.ts";
import { checkIn, claimOf } from "./claims.ts";
import { type EncodeOptions, encodeMessage, type Outgoing, sizeOf } from "./message-codec.ts";

/** What a message may gain on its way to its dead letters, without its history and its error, in bytes. */
const reserve = 4_096;

export interface Room {
  readonly maxMessageBytes: number;
  /** Whether its retries are still to come, whose headers need room. What was received once goes on whatever it weighs. */
  readonly isNew: boolean;
}

/** A message as it is sent, if it is not too large for that. */
export function encodeWithin(message: Message, options: EncodeOptions, { maxMessageBytes, isNew }: Room): Outgoing {
  const most = isNew ? maxMessageBytes - reserve : maxMessageBytes;
  const outgoing = encodeMessage(message, options);
  const bytes = sizeOf(outgoing);
  if (bytes <= most) return outgoing;
  const sentence =
    `The message has ${bytes} bytes as SQS counts them, and ${most} is the most (\`maxMessageBytes\`, less ${reserve} for the ` +
    "headers of retries if it is new). Give the transport a bucket for such bodies (`bodies`), or send a reference to what is large.";
  throw new OfficeError("MESSAGE_TOO_LARGE", sentence, { details: { bytes, maxMessageBytes } });
}

export interface FormsOptions {
  /** Where there is a place for its body; null where there is none. */
  readonly bodies: BodyStore | null;
  /** Whether nothing of it may be left out. @default false */
  readonly isWhole?: boolean | undefined;
}

/**
 * A message in the forms it may be sent in, the best first; none is made before it is needed. Where there is a place for its body,
 * nothing else of it is given up before that.
 */
export function formsOf(
  message: Message,
  { bodies, isWhole = false }: FormsOptions,
): readonly (() => Promise<Message>)[] {
  const lighter = isWhole ? null : lightened(message);
  const forms = lighter === null ? [message] : [message, lighter];
  // A reference to a reference would be followed once only.
  if (bodies === null || claimOf(message) !== null) return forms.map((form) => async () => form);
  return [async () => message, ...forms.map((form) => () => checkIn(bodies, form))];
}
