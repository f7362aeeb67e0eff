import { type AttemptFacts, attemptLog, numbered } from "../attempt-log.ts";
import type { Dialect, Facts } from "../dialect.ts";
import type { ErrorText } from "../error-texts.ts";
import { countOf } from "../json.ts";
import { firstText, has, type LetterView, lastText, namesLike, valueText } from "../letter-view.ts";
import { decimalAt, toPartition } from "../numbers.ts";
import { anyTime } from "../times.ts";

/**
 * SmallRye Reactive Messaging and Quarkus. Headers are put before those of the record, so of several the first is the
 * newest and the last is where it failed first.
 */
export const smallryeKafka: Dialect = { id: "smallrye-kafka", read };

function read(view: LetterView): Facts | null {
  const prefix = ["dead-letter", "delayed-retry"].find(
    (name) => has(view, `${name}-reason`) && has(view, `${name}-topic`),
  );
  if (view.letter.broker !== "kafka" || prefix === undefined) return null;
  const topic = lastText(view, `${prefix}-topic`);
  const retries = prefix === "delayed-retry" ? countOf(firstText(view, "delayed-retry-count")) : undefined;
  const attempts = retries === undefined ? undefined : retries + 1;
  return {
    source: topic,
    partition: toPartition(decimalAt(view, `${prefix}-partition`)),
    offset: decimalAt(view, `${prefix}-offset`),
    ...failure(view, prefix),
    stack: causesOf(view, prefix),
    // What could not be deserialised never reached a handler.
    attempts: has(view, "deserialization-failure-reason") ? 0 : attempts,
    attemptLog: attemptLog(numbered(attemptsIn(view), attempts)),
    enqueuedAt: anyTime(lastText(view, "delayed-retry-original-timestamp")),
    firstFailedAt: anyTime(lastText(view, "delayed-retry-first-processing-timestamp")),
    lastFailedAt: view.letter.timestamp,
    destination: topic,
    strip: namesLike(view, /^(dead-letter|delayed-retry|deserialization-failure)-/),
  };
}

/** Wrappers of calls by reflection, and of deserialisation: what they wrap is not written down, or only as text. */
const callWrapper = /\.(ProcessingException|InvocationTargetException)$/;
const wrapper = /\.(ProcessingException|InvocationTargetException|RecordDeserializationException)$/;

function failure(view: LetterView, prefix: string): ErrorText {
  const thrown = {
    errorClass: firstText(view, `${prefix}-exception-class-name`),
    errorMessage: firstText(view, `${prefix}-reason`),
  };
  if (!callWrapper.test(thrown.errorClass ?? "")) return named(thrown);
  return named({
    errorClass: firstText(view, `${prefix}-cause-class-name`),
    errorMessage: firstText(view, `${prefix}-cause`),
  });
}

/** An exception without a message is written as its class. */
function named({ errorClass, errorMessage }: ErrorText): ErrorText {
  const isReal = !callWrapper.test(errorClass ?? "");
  return {
    errorClass: wrapper.test(errorClass ?? "") ? undefined : errorClass,
    errorMessage: isReal && errorMessage !== errorClass ? errorMessage : undefined,
  };
}

/** No stack is written, but what was thrown and its cause are: the way Java prints a chain without frames. */
function causesOf(view: LetterView, prefix: string): string | undefined {
  const [thrown, reason, cause, text] = ["exception-class-name", "reason", "cause-class-name", "cause"].map((name) =>
    firstText(view, `${prefix}-${name}`),
  );
  return thrown === undefined || cause === undefined ? undefined : `${thrown}: ${reason}\nCaused by: ${cause}: ${text}`;
}

/** One of each name for each attempt, the newest first. */
function attemptsIn(view: LetterView): readonly AttemptFacts[] {
  const texts = (name: string) => (view.headers.get(`delayed-retry-${name}`) ?? []).map(valueText).toReversed();
  const [classes, reasons] = [texts("exception-class-name"), texts("reason")];
  if (reasons.length < 2 || classes.length !== reasons.length) return [];
  return reasons.map((errorMessage, index) => ({
    ...named({ errorClass: classes[index], errorMessage }),
    ...(index === reasons.length - 1 && { at: view.letter.timestamp }),
  }));
}
