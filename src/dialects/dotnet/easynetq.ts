import type { Dialect, Facts } from "../dialect.ts";
import { dotnetError } from "../error-texts.ts";
import { member, textOf } from "../json.ts";
import { type LetterView, propertyText } from "../letter-view.ts";
import { isoTime } from "../times.ts";

/** EasyNetQ: the letter's body is a record of the failure, with the original message inside. */
export const easynetq: Dialect = { id: "easynetq", read };

const encoder = new TextEncoder();

function read(view: LetterView): Facts | null {
  if (!propertyText(view, "type")?.includes("EasyNetQ.SystemMessages.Error")) return null;
  const body = view.json();
  const [queue, exchange, routingKey, exception, message] = [
    "Queue",
    "Exchange",
    "RoutingKey",
    "Exception",
    "Message",
  ].map((name) => textOf(member(body, name)));
  return {
    source: queue,
    ...dotnetError(exception),
    stack: exception,
    lastFailedAt: isoTime(textOf(member(body, "DateTime"))),
    payload: message === undefined ? undefined : encoder.encode(message),
    contentType: textOf(member(body, "BasicProperties", "ContentType")),
    messageId: textOf(member(body, "BasicProperties", "MessageId")),
    correlationId: textOf(member(body, "BasicProperties", "CorrelationId")),
    schema: textOf(member(body, "BasicProperties", "Type"))?.split(",")[0],
    destination: queue,
    via: exchange === undefined || routingKey === undefined ? undefined : { exchange, routingKey },
  };
}
