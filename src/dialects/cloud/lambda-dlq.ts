import type { Dialect, Facts } from "../dialect.ts";
import { has, type LetterView, lastText, lastValue, namesLike } from "../letter-view.ts";

/** What a Lambda function failed on. The function is not named, and its error is one line. */
export const lambdaDlq: Dialect = { id: "lambda-dlq", read };

function read(view: LetterView): Facts | null {
  const code = lastValue(view, "ErrorCode");
  if (!has(view, "RequestID") || !has(view, "ErrorMessage") || code?.type !== "integer") return null;
  const status = Number(code.value);
  return {
    errorMessage: lastText(view, "ErrorMessage"),
    // The answer of Lambda itself: 200 is a function that failed as functions do.
    httpStatus: status >= 400 ? status : undefined,
    lastFailedAt: view.letter.timestamp,
    messageId: lastText(view, "RequestID"),
    strip: namesLike(view, /^(RequestID|ErrorCode|ErrorMessage)$/),
  };
}
