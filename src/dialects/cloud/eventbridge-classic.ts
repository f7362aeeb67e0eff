import type { Dialect, Facts } from "../dialect.ts";
import { has, type LetterView, lastText, namesLike } from "../letter-view.ts";
import { arnName } from "./arn.ts";
import { deliveryFailure } from "./eventbridge-attributes.ts";

/** A rule of EventBridge that could not deliver to its target. */
export const eventbridgeClassic: Dialect = { id: "eventbridge-classic", read };

const strip = /^(RULE_ARN|TARGET_ARN|ERROR_CODE|ERROR_MESSAGE|EXHAUSTED_RETRY_CONDITION|RETRY_ATTEMPTS)$/;

function read(view: LetterView): Facts | null {
  if (!has(view, "RULE_ARN") || !has(view, "TARGET_ARN")) return null;
  return {
    source: arnName(lastText(view, "RULE_ARN")),
    ...deliveryFailure(view),
    lastFailedAt: view.letter.timestamp,
    destination: arnName(lastText(view, "TARGET_ARN")),
    strip: namesLike(view, strip),
  };
}
