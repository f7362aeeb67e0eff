import type { Facts } from "../dialect.ts";
import { countOf } from "../json.ts";
import { type LetterView, lastText } from "../letter-view.ts";

/** The attributes that all of EventBridge's letters have. */
export function deliveryFailure(view: LetterView): Facts {
  const retries = countOf(lastText(view, "RETRY_ATTEMPTS"));
  return {
    errorClass: lastText(view, "ERROR_CODE"),
    errorCode: lastText(view, "ERROR_CODE"),
    errorMessage: lastText(view, "ERROR_MESSAGE"),
    attempts: retries === undefined ? undefined : retries + 1,
  };
}
