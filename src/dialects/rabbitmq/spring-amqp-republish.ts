import { type AttemptFacts, attemptLog } from "../attempt-log.ts";
import type { Dialect, Facts } from "../dialect.ts";
import { type ErrorText, failedToConvert, javaError } from "../error-texts.ts";
import { has, type LetterView, lastText, namesLike } from "../letter-view.ts";

/**
 * Spring AMQP's RepublishMessageRecoverer, and the Rabbit binder of Spring Cloud Stream. Exchange and key are written
 * down, the queue is not; `retry-count` counts rounds of republishing, not attempts.
 */
export const springAmqpRepublish: Dialect = { id: "spring-amqp-republish", read };

const strip =
  /^(x-exception-(message|stacktrace)|x-original-(exchange|routingKey)|retry-count|spring_(listener_return|returned_message)_correlation)$/;

function read(view: LetterView): Facts | null {
  if (!view.letter.broker.startsWith("amqp") || !isRepublished(view)) return null;
  const exchange = lastText(view, "x-original-exchange");
  const routingKey = lastText(view, "x-original-routingKey");
  const stack = lastText(view, "x-exception-stacktrace");
  const error = failure(stack, lastText(view, "x-exception-message"));
  const attempts = attemptsIn(stack, lastText(view, "retry-count"));
  return {
    ...error,
    stack,
    attempts,
    attemptLog: attempts === undefined ? undefined : attemptLog([...earlierIn(stack ?? ""), error]),
    via: exchange === undefined || routingKey === undefined ? undefined : { exchange, routingKey },
    strip: namesLike(view, strip),
  };
}

/** Spring has a capital in the key's name; people who write such headers by hand have a dash there, or name the queue. */
function isRepublished(view: LetterView): boolean {
  const isByHand = has(view, "x-original-routing-key") || has(view, "x-original-queue");
  return has(view, "x-original-routingKey") || (has(view, "x-original-exchange") && !isByHand);
}

/**
 * Where Spring's core did the retrying, each failure but the last is printed as suppressed. In a later round
 * (`retry-count`) they are those of that round alone. What could not be converted never reached the handler.
 */
function attemptsIn(stack: string | undefined, rounds: string | undefined): number | undefined {
  const suppressed = stack?.match(/^\tSuppressed: /gm)?.length ?? 0;
  return suppressed === 0 || Number(rounds ?? 1) > 1 || failedToConvert(stack) ? undefined : suppressed + 1;
}

/** The blocks of what is printed as suppressed, one tab further in than what they were suppressed by. */
function earlierIn(stack: string): readonly AttemptFacts[] {
  const blocks = stack.split(/^\tSuppressed: /m).slice(1);
  return blocks.map((block) => javaError(block.split(/\n(?=\S)/)[0]?.replaceAll("\n\t", "\n")));
}

/** A long message is cut inside the stack, and in the header it is whole; the stack may have left it no room at all. */
function failure(stack: string | undefined, text: string | undefined): ErrorText {
  const header = text === "" ? undefined : text;
  const { errorClass, errorMessage = header } = javaError(stack);
  const isCut = errorMessage?.endsWith("...") && header?.startsWith(errorMessage.slice(0, -3));
  return { errorClass, errorMessage: isCut ? header : errorMessage };
}
