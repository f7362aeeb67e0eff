import { createHash } from "node:crypto";
import type { BodyStore } from "../../domain/body-store.ts";
import { OfficeError } from "../../domain/errors.ts";
import { headerText, type Message, textHeader } from "../../domain/message.ts";

/** The property of a message whose body is elsewhere: the SHA-256 of that body, by which it is found. It is on the wire. */
const claimProperty = "dlo-claim";

/** The message with a reference in the place of its body, which is durable in `bodies`. */
export async function checkIn(bodies: BodyStore, message: Message): Promise<Message> {
  const { body } = message;
  const sha256 = hashOf(body);
  // Copied: a sender may use its buffer again before it is on its way.
  await bodies.keep(sha256, new Uint8Array(body));
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

/** The message as it was before. Rejects where its body is not to be had, now or ever. */
export async function checkOut(bodies: BodyStore | null, message: Message, sha256: string): Promise<Message> {
  if (bodies === null) throw noBody(sha256, "this transport has no `bodies`: give it the bucket that its sender has");
  const body = await bodies.read(sha256);
  if (body === null || hashOf(body) !== sha256) {
    const why = "the bucket has no such object: let nothing expire there before the messages that refer to it";
    throw noBody(sha256, why);
  }
  return { ...message, body: new Uint8Array(body), properties: withoutClaim(message) };
}

function withoutClaim({ properties }: Message): Message["properties"] {
  return properties.filter(({ name }) => name !== claimProperty);
}

function noBody(sha256: string, why: string): OfficeError {
  const sentence = `The message's body is not in SQS but elsewhere, as ${sha256}, and ${why}. It is tried again.`;
  return new OfficeError("STORE_UNAVAILABLE", sentence, { details: { sha256 } });
}

function hashOf(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}
