import type { MsgHdrs } from "@nats-io/transport-node";
import { isOfficeError, OfficeError } from "../../domain/errors.ts";
import type { Message } from "../../domain/message.ts";
import { lightened } from "../lightened.ts";
import type { NatsConnection } from "./connection.ts";
import { type EncodeOptions, encodeMessageHeaders } from "./message-codec.ts";

/** A message as it may be sent. */
export interface Form {
  readonly message: Message;
  readonly how: EncodeOptions;
}

/** What a new message leaves for the headers of its retries and of its dead letter, without history and error, in bytes. */
const reserveBytes = 4_096;
const serversOwn = /^nats-/iu;

/** Sends the first of them that is not too large. Resolves when a stream has it. */
export async function publishFirst(
  connection: NatsConnection,
  subject: string,
  [form, ...smaller]: readonly [Form, ...Form[]],
): Promise<void> {
  const { makeHeaders } = await connection.opened();
  try {
    const headers = encodeMessageHeaders(form.message, form.how, makeHeaders);
    // Copied: a sender may use its buffer again before the message is on its way.
    await connection.publish(subject, { payload: new Uint8Array(form.message.body), headers });
  } catch (error) {
    const [next, ...others] = smaller;
    if (next === undefined || !isOfficeError(error, "MESSAGE_TOO_LARGE")) throw error;
    await publishFirst(connection, subject, [next, ...others]);
  }
}

/** The same, and without what it can go without. */
export function formsOf(message: Message, how: EncodeOptions): readonly [Form, ...Form[]] {
  const lighter = lightened(message);
  return lighter === null
    ? [{ message, how }]
    : [
        { message, how },
        { message: lighter, how },
      ];
}

/**
 * No larger than it came, to the byte: without a word of ours. What its sender told the server with it was told once, and is left
 * out, since there is no room to quote it.
 */
export function asItCame({ body, headers, key }: Message, id: string): readonly Form[] {
  const own = headers.filter(({ name }) => !serversOwn.test(name));
  const message = { body, headers: own, key, properties: [] };
  // Where even the id has no room, a stream cannot tell a second sending from the first: it may be there twice, and is not lost.
  return [{ onward: true, id }, { onward: true }].map((how) => ({ message, how }));
}

/** A message that only just fits could be neither tried again nor kept with the reason why it died. */
export async function requireRoom(connection: NatsConnection, message: Message, how: EncodeOptions): Promise<void> {
  const { client, makeHeaders } = await connection.opened();
  const most = (client.info?.max_payload ?? Number.POSITIVE_INFINITY) - reserveBytes;
  // Of most it needs no counting.
  if (message.body.length < most / 2) return;
  const bytes = message.body.length + headerBytes(encodeMessageHeaders(message, how, makeHeaders));
  if (bytes <= most) return;
  const sentence =
    `The message has ${bytes} bytes with its headers, and ${most} is the most: the server's \`max_payload\`, less ${reserveBytes} for ` +
    "the headers of retries. Raise `max_payload`, or send a reference to what is large.";
  throw new OfficeError("MESSAGE_TOO_LARGE", sentence, { details: { bytes, most } });
}

/** A line of version, one of each header, and an empty one. */
function headerBytes(headers: MsgHdrs | undefined): number {
  if (headers === undefined) return 0;
  const lines = [...headers].flatMap(([name, values]) =>
    values.map((value) => Buffer.byteLength(`${name}: ${value}\r\n`)),
  );
  return lines.reduce((sum, bytes) => sum + bytes, "NATS/1.0\r\n\r\n".length);
}
