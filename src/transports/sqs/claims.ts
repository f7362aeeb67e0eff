import { createHash } from "node:crypto";
import type { BodyStore } from "../../domain/body-store.ts";
import { isOfficeError, OfficeError } from "../../domain/errors.ts";
import { headerText, type Message, textHeader } from "../../domain/message.ts";

/** The property of a message whose body is elsewhere: the SHA-256 of that body, by which it is found. It is on the wire. */
const claimProperty = "dlo-claim";

/** A message that was received, and whether anybody will ever have its body. */
export interface CheckedOut {
  readonly message: Message;
  /** Why nobody will, by itself: the message is then as it came, with the reference. */
  readonly unreadable?: OfficeError;
}

/** The message with a reference in the place of its body, which is durable in `bodies`. */
export async function checkIn(bodies: BodyStore, message: Message): Promise<Message> {
  const { body } = message;
  const sha256 = hashOf(body);
  // Copied: a sender may use its buffer again before it is on its way.
  await bodies.keep(sha256, new Uint8Array(body)).catch(notKept);
  const reference = Buffer.from(JSON.stringify({ [claimProperty]: sha256, bytes: body.length }));
  const properties = [...withoutClaim(message), textHeader(claimProperty, sha256)];
  return { ...message, body: new Uint8Array(reference), properties };
}

/** By which its body is found; null where it has it, or somebody has given it another since. */
export function claimOf({ body, properties }: Message): string | null {
  const sha256 = headerText(properties, claimProperty);
  if (sha256 === undefined || !/^[0-9a-f]{64}$/u.test(sha256)) return null;
  return Buffer.from(body).toString().startsWith(`{"${claimProperty}":"${sha256}"`) ? sha256 : null;
}

/** How large its body is, as whoever checked it in said; infinite where nobody did. */
export function claimedBytes({ body }: Message): number {
  const bytes = Number(/"bytes":(\d+)\}$/u.exec(Buffer.from(body).toString())?.[1] ?? Number.NaN);
  return Number.isSafeInteger(bytes) ? bytes : Number.POSITIVE_INFINITY;
}

/** The message as it was before. Rejects where nobody can say whether its body is there. */
export async function checkOut(bodies: BodyStore | null, message: Message, sha256: string): Promise<CheckedOut> {
  if (bodies === null) {
    const why = "this consumer's transport has no `bodies`. Give it the bucket that its sender has";
    return { message, unreadable: unreadable(sha256, why) };
  }
  const body = await bodies.read(sha256);
  if (body === null || hashOf(body) !== sha256) {
    const why = "the bucket has no such object. Let nothing expire there before the messages that refer to it";
    return { message, unreadable: unreadable(sha256, why) };
  }
  return { message: { ...message, body: new Uint8Array(body), properties: withoutClaim(message) } };
}

function withoutClaim({ properties }: Message): Message["properties"] {
  return properties.filter(({ name }) => name !== claimProperty);
}

function unreadable(sha256: string, why: string): OfficeError {
  const sentence =
    `The message's body is not in SQS but elsewhere, as ${sha256}, and ${why}. ` +
    "The dead letter has the reference: replay it once the body can be found, or drop it.";
  return new OfficeError("INVALID_MESSAGE", sentence, { details: { sha256 } });
}

/** Whoever kept it, and however he failed: nothing has been sent yet. */
function notKept(cause: unknown): never {
  if (isOfficeError(cause)) throw cause;
  const sentence = `The message's body could not be kept in \`bodies\` (${String(cause)}), so nothing was sent. Try again.`;
  throw new OfficeError("STORE_UNAVAILABLE", sentence, { cause });
}

function hashOf(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}
