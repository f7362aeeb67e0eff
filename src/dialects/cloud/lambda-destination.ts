import type { Dialect, Facts } from "../dialect.ts";
import { countOf, isObject, type Json, type JsonObject, jsonText, listOf, member, textOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";
import { isoTime } from "../times.ts";
import { arnName } from "./arn.ts";

/** A destination of a Lambda function for what failed: a record around the event, or a pointer into a stream. */
export const lambdaDestination: Dialect = { id: "lambda-destination", read };

const encoder = new TextEncoder();

function read(view: LetterView): Facts | null {
  const body = view.json();
  const name = arnName(textOf(member(body, "requestContext", "functionArn")));
  const condition = textOf(member(body, "requestContext", "condition"));
  // The same record is written of successes.
  if (!isObject(body) || name === undefined || condition === undefined || condition === "Success") return null;
  const event = member(body, "requestPayload");
  return {
    source: sourceOf(body) ?? name,
    ...failure(member(body, "responsePayload")),
    attempts: countOf(member(body, "requestContext", "approximateInvokeCount")),
    lastFailedAt: isoTime(textOf(member(body, "timestamp"))),
    payload: event === undefined ? undefined : encoder.encode(jsonText(event)),
    messageId: textOf(member(body, "requestContext", "requestId")),
    handler: name,
    destination: sourceOf(body) ?? name,
  };
}

/** The stream the records are in, which are not here. */
function sourceOf(body: JsonObject): string | undefined {
  const batch = Object.keys(body).find((name) => name.endsWith("BatchInfo"));
  return batch === undefined ? undefined : arnName(textOf(member(body, batch, "streamArn")));
}

function failure(response: Json | undefined): Facts {
  const lines = [...listOf(member(response, "stackTrace")), ...listOf(member(response, "trace"))];
  return {
    errorClass: textOf(member(response, "errorType")),
    errorMessage: textOf(member(response, "errorMessage")),
    stack: lines.length === 0 ? undefined : lines.map((line) => textOf(line) ?? "").join("\n"),
  };
}
