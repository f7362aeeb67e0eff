import { type AttemptFacts, attemptLog } from "../attempt-log.ts";
import type { Dialect, Facts } from "../dialect.ts";
import { countOf, type Json, type JsonObject, listOf, member, parseContainer, textOf } from "../json.ts";
import { hasPrefix, type LetterView, lastText, namesLike, propertyText } from "../letter-view.ts";
import { isoTime } from "../times.ts";
import { readSerialized } from "./symfony-serialized.ts";

/** Symfony Messenger's failure transport: stamps as JSON in headers, or the whole envelope serialised by PHP. */
export const symfonyMessenger: Dialect = { id: "symfony-messenger", read };

const prefix = "X-Message-Stamp-Symfony\\Component\\Messenger\\Stamp\\";
const stripped = ["SentToFailureTransportStamp", "RedeliveryStamp", "ErrorDetailsStamp", "DelayStamp"];

function read(view: LetterView): Facts | null {
  const isRow = propertyText(view, "table") === "messenger_messages";
  if (!isRow && !hasPrefix(view, "X-Message-Stamp-")) return readSerialized(view);
  const row = parseContainer(propertyText(view, "headers") ?? "");
  const stamp = (name: string) => lastText(view, prefix + name) ?? textOf(member(row, prefix + name));
  const names = [...namesLike(view, /^X-Message-Stamp-/), ...Object.keys(row ?? {})].filter(isStamp);
  if (names.length > 0) return { ...stampFacts(stamp), strip: names.filter(isOfAFailure) };
  return readSerialized(view) ?? {};
}

/** The transport that a message failed in, by the headers of its row; undefined where they have no stamps. */
export function receiverOf(headers: string): string | undefined {
  const stamps = textOf(member(parseContainer(headers), `${prefix}SentToFailureTransportStamp`));
  return textOf(member(listOf(parseContainer(stamps ?? "")).at(-1), "originalReceiverName"));
}

/** As they were before it failed. */
export function withoutFailure(headers: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isOfAFailure(name)));
}

function isStamp(name: string): boolean {
  return name.startsWith("X-Message-Stamp-");
}

function isOfAFailure(name: string): boolean {
  return stripped.some((stamp) => name === prefix + stamp);
}

function stampFacts(stamp: (name: string) => string | undefined): Facts {
  const stamps = (name: string) => listOf(parseContainer(stamp(name) ?? ""));
  const error = stamps("ErrorDetailsStamp").at(-1);
  const redeliveries = stamps("RedeliveryStamp");
  const source = textOf(member(stamps("SentToFailureTransportStamp").at(-1), "originalReceiverName"));
  return {
    source,
    errorClass: textOf(member(error, "exceptionClass")),
    errorMessage: textOf(member(error, "exceptionMessage")),
    errorCode: codeOf(member(error, "exceptionCode")),
    stack: textOf(member(error, "flattenException", "trace_as_string")),
    attempts: attemptsOf(redeliveries),
    attemptLog: attemptLog(attemptsIn(redeliveries, stamps("DelayStamp"), stamps("ErrorDetailsStamp"))),
    lastFailedAt: isoTime(textOf(member(redeliveries.at(-1), "redeliveredAt"))),
    destination: source,
  };
}

/**
 * A stamp for each failure, with the wait that followed in another. An error is stamped where it is not the one before: one
 * alone is that of all. After a replay from the failure transport the counts begin again, and nobody can tell which is which.
 */
function attemptsIn(
  redeliveries: readonly Json[],
  delays: readonly Json[],
  errors: readonly Json[],
): readonly AttemptFacts[] {
  const counts = redeliveries.slice(0, -1).map((redelivery) => countOf(member(redelivery, "retryCount")) ?? 0);
  const first = counts[0] ?? 1;
  if (first < 1 || counts.some((count, index) => count !== first + index)) return [];
  return redeliveries.map((redelivery, index) => {
    const error =
      errors.length === 1 || errors.length === redeliveries.length
        ? errors.at(Math.min(index, errors.length - 1))
        : undefined;
    const isTheLast = index === redeliveries.length - 1;
    return {
      n: first + index,
      at: isoTime(textOf(member(redelivery, "redeliveredAt"))),
      waitMs: delays.length === redeliveries.length ? countOf(member(delays[index - 1], "delay")) : undefined,
      ...errorIn(error ?? (isTheLast ? errors.at(-1) : undefined)),
    };
  });
}

function errorIn(error: Json | undefined): AttemptFacts {
  return {
    errorClass: textOf(member(error, "exceptionClass")),
    errorMessage: textOf(member(error, "exceptionMessage")),
    errorCode: codeOf(member(error, "exceptionCode")),
  };
}

function codeOf(code: Json | undefined): string | undefined {
  return code === 0 ? undefined : textOf(code);
}

/** The last stamp is the failure transport's own and counts from nothing. */
function attemptsOf(redeliveries: readonly Json[]): number | undefined {
  const counts = redeliveries.flatMap((redelivery) => countOf(member(redelivery, "retryCount")) ?? []);
  return counts.length === 0 ? undefined : Math.max(...counts) + 1;
}
