import { createHash } from "node:crypto";
import { type Delivery, headerText, queueName } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";

/**
 * Names one failure: an attempt of one message. A connection that is cut between a dead letter's confirm and the acknowledgement of its
 * message makes a second dead letter, and both have the same name. Null where nothing tells the message from an equal one.
 */
export function failureId(
  { message, source, position, sendId = null }: FailedDelivery,
  attempt: number,
): string | null {
  const where = position === null ? ["sent", sendId] : ["at", position];
  if (where[1] === null) return null;
  // A topic that was made anew begins at 0 again, and a replay that failed is another failure.
  const { headers, body } = message;
  const about = [...where, queueName(source), attempt, headerText(headers, wire.replay) ?? null];
  return createHash("sha256").update(JSON.stringify(about)).update("\n").update(body).digest("hex").slice(0, 32);
}

type FailedDelivery = Pick<Delivery, "message" | "source" | "position" | "sendId">;
