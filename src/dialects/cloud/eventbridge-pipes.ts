import type { Dialect, Facts } from "../dialect.ts";
import { isObject, member, textOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";
import { anyTime } from "../times.ts";
import { arnName } from "./arn.ts";

/** A pipe of EventBridge from a stream: a pointer to records, not the records. */
export const eventbridgePipes: Dialect = { id: "eventbridge-pipes", read };

function read(view: LetterView): Facts | null {
  const body = view.json();
  const pipe = textOf(member(body, "context", "partnerResourceArn"));
  if (!isObject(body) || !pipe?.includes(":pipes:")) return null;
  const batch = Object.keys(body).find((name) => name.endsWith("BatchInfo"));
  if (batch === undefined) return null;
  const source = arnName(textOf(member(body, batch, "streamArn"))) ?? arnName(pipe);
  return {
    source,
    lastFailedAt: anyTime(textOf(member(body, "timestamp"))),
    consumer: arnName(pipe),
    destination: source,
  };
}
