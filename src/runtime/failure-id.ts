import { createHash } from "node:crypto";
import { type Delivery, headerText, queueName } from "../domain/message.ts";
import { adoptedId, isAdopted } from "../domain/send-id.ts";
import { wire } from "../domain/wire.ts";
import type { AttemptLog } from "./attempt-log.ts";

/**
 * Names one failure: an attempt of one message. A consumer that dies between a dead letter's confirm and the acknowledgement of its
 * message makes a second dead letter, and one that dies between the confirm of a retry and that acknowledgement makes two messages of one:
 * both have the same name. So it is taken from what a message keeps over its retries: where it was when it first failed, or the id it was
 * sent with. Null where nothing tells the message from an equal one.
 */
export function failureId(
  { message, source, sendId = null }: FailedDelivery,
  { attempt, position }: Pick<AttemptLog, "attempt" | "position">,
): string | null {
  const where = position === undefined ? ["sent", sendId] : ["at", position];
  if (where[1] === null) return null;
  // A topic that was made anew begins at 0 again, and a replay that failed is another failure.
  const { headers, body } = message;
  const about = [...where, queueName(source), attempt, headerText(headers, wire.replay) ?? null];
  const name = createHash("sha256").update(JSON.stringify(about)).update("\n").update(body).digest("hex").slice(0, 32);
  return position === undefined && sendId !== null && isAdopted(sendId) ? adoptedId(name) : name;
}

type FailedDelivery = Pick<Delivery, "message" | "source" | "sendId">;
