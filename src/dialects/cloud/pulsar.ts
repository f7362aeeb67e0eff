import type { Dialect, Facts } from "../dialect.ts";
import { countOf } from "../json.ts";
import { has, type LetterView, lastText, namesLike } from "../letter-view.ts";

/** Apache Pulsar: where it was, and after `reconsumeLater` how often; no client writes the error. */
export const pulsar: Dialect = { id: "pulsar", read };

const strip = /^(RECONSUMETIMES|DELAY_TIME|RETRY_TOPIC|REAL_(TOPIC|SUBSCRIPTION)|ORIGIN_MESSAGE_ID(Y_TIME)?)$/;

function read(view: LetterView): Facts | null {
  if (!["REAL_TOPIC", "ORIGIN_MESSAGE_ID", "RECONSUMETIMES"].some((name) => has(view, name))) return null;
  const topic = lastText(view, "REAL_TOPIC");
  const partition = /^\d+:\d+:(\d{1,9})(?::-?\d+)?$/.exec(lastText(view, "ORIGIN_MESSAGE_ID") ?? "")?.[1];
  return {
    source: topic,
    partition: partition === undefined ? undefined : Number(partition),
    attempts: countOf(lastText(view, "RECONSUMETIMES")),
    lastFailedAt: view.letter.timestamp,
    consumer: lastText(view, "REAL_SUBSCRIPTION"),
    destination: topic,
    strip: namesLike(view, strip),
  };
}
