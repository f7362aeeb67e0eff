import type { Dialect, Facts } from "./dialect.ts";
import { member, textOf } from "./json.ts";
import type { LetterView } from "./letter-view.ts";
import { isoTime } from "./times.ts";

/** Dapr sends the same bytes on, with no word of why. Its CloudEvent still names the topic it was published to. */
export const dapr: Dialect = { id: "dapr", read };

function read(view: LetterView): Facts | null {
  const body = view.json();
  const topic = textOf(member(body, "topic"));
  const isEvent = member(body, "pubsubname") !== undefined && member(body, "specversion") !== undefined;
  if (!isEvent || topic === undefined || topic === view.letter.queue) return null;
  return { source: topic, destination: topic, expiresAt: isoTime(textOf(member(body, "expiration"))) };
}
