import type { Dialect, Facts } from "../dialect.ts";
import { countOf, type Json, listOf, member, textOf } from "../json.ts";
import { has, type LetterView, lastText, namesLike } from "../letter-view.ts";
import { arnName } from "./arn.ts";
import { deliveryFailure } from "./eventbridge-attributes.ts";

/** A custom bus of EventBridge. The body is a record of a failed batch, not the events: those are asked of the bus. */
export const eventbridgeV2: Dialect = { id: "eventbridge-v2", read };

const strip = /^(BUS_ARN|SUBSCRIBER_ARN|TARGET_ARN|ERROR_CODE|ERROR_MESSAGE|EXHAUSTED_RETRY_CONDITION|RETRY_ATTEMPTS)$/;

function read(view: LetterView): Facts | null {
  const body = view.json();
  const record = Array.isArray(member(body, "failedMessages")) && textOf(member(body, "subscriberArn"));
  const isMarked = has(view, "BUS_ARN") && has(view, "SUBSCRIBER_ARN");
  if (!isMarked && (!record || textOf(member(body, "busArn")) === undefined)) return null;
  const text = (name: string, attribute: string) => textOf(member(body, name)) ?? lastText(view, attribute);
  return {
    source: arnName(text("busArn", "BUS_ARN")),
    ...deliveryFailure(view),
    ...bodyFailure(body),
    lastFailedAt: view.letter.timestamp,
    consumer: arnName(text("subscriberArn", "SUBSCRIBER_ARN")),
    destination: arnName(text("targetArn", "TARGET_ARN")),
    strip: namesLike(view, strip),
  };
}

function bodyFailure(body: Json | undefined): Facts {
  const retries = countOf(member(body, "retryAttempts"));
  const code = textOf(member(body, "errorCode"));
  if (code === undefined) return {};
  return {
    errorClass: code,
    errorCode: code,
    errorMessage: textOf(member(body, "errorMessage")),
    ...(retries === undefined ? {} : { attempts: retries + 1 }),
    orderingKey: textOf(member(listOf(member(body, "failedMessages"))[0], "eventGroupId")),
    messageId: textOf(member(listOf(member(body, "failedMessages"))[0], "eventId")),
  };
}
