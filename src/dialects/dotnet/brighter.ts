import type { Dialect, Facts } from "../dialect.ts";
import { has, type LetterView, lastText, namesLike } from "../letter-view.ts";
import { isoTime } from "../times.ts";

/** Brighter: the reason is one of its own words, the text is the exception's. */
export const brighter: Dialect = { id: "brighter", read };

function read(view: LetterView): Facts | null {
  if (!has(view, "rejectionReason") || !has(view, "originalTopic")) return null;
  const topic = lastText(view, "originalTopic");
  return {
    source: topic,
    errorMessage: lastText(view, "rejectionMessage"),
    lastFailedAt: isoTime(lastText(view, "rejectionTimestamp")),
    destination: topic,
    strip: namesLike(view, /^(original(Topic|MessageType)|rejection(Timestamp|Reason|Message))$/),
  };
}
