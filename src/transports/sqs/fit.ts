import { OfficeError } from "../../domain/errors.ts";
import type { Message } from "../../domain/message.ts";
import { lightened } from "../lightened.ts";
import { type EncodeOptions, encodeMessage, type Outgoing, sizeOf } from "./message-codec.ts";

/** What a message may gain on its way to its dead letters, without its history and its error, in bytes. */
const reserve = 4_096;

export interface Room {
  readonly maxMessageBytes: number;
  /** Whether its retries are still to come, whose headers need room. What was received once goes on whatever it weighs. */
  readonly isNew: boolean;
}

/** A message as it is sent; without its history and error if it is too large with them. */
export function encodeFitting(message: Message, options: EncodeOptions, { maxMessageBytes, isNew }: Room): Outgoing {
  const most = isNew ? maxMessageBytes - reserve : maxMessageBytes;
  const outgoing = encodeMessage(message, options);
  if (sizeOf(outgoing) <= most) return outgoing;
  const without = encodeMessage(lightened(message) ?? message, options);
  const bytes = sizeOf(without);
  if (bytes <= most) return without;
  const sentence =
    `The message has ${bytes} bytes as SQS counts them, and ${most} is the most (\`maxMessageBytes\`, less ${reserve} for the ` +
    "headers of retries if it is new). Send a reference to what is large.";
  throw new OfficeError("MESSAGE_TOO_LARGE", sentence, { details: { bytes, maxMessageBytes } });
}
