import { type LetterView, namesLike } from "./letter-view.ts";
import { deathHeaders } from "./rabbitmq/rabbitmq-dlx.ts";

/** What we write on a replayed message; the keys are the message's own. */
const ours = /^dlo-(?!(?:key|order|schema)$)/;
/** What a NATS server adds, or would act upon again. */
const natsHeaders =
  /^Nats-(Msg-Id|Expected-.*|Rollup|Stream.*|Subject|Sequence|Time-Stamp|Last-Sequence|TTL|Schedule.*|Batch-.*)$/i;

/** Headers of the broker and of earlier replays, which must not travel back whoever gave the message up. */
export function alwaysStripped(view: LetterView): readonly string[] {
  const { broker } = view.letter;
  return [
    ...namesLike(view, ours),
    ...(broker.startsWith("amqp") ? namesLike(view, deathHeaders) : []),
    ...(broker === "nats" ? namesLike(view, natsHeaders) : []),
  ];
}
