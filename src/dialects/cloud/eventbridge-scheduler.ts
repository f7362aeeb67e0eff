import type { Dialect, Facts } from "../dialect.ts";
import { has, type LetterView, lastText, namesLike } from "../letter-view.ts";
import { arnName } from "./arn.ts";
import { deliveryFailure } from "./eventbridge-attributes.ts";

/** A schedule of EventBridge that could not call its target. Its body may be cut: `IS_PAYLOAD_TRUNCATED` says so. */
export const eventbridgeScheduler: Dialect = { id: "eventbridge-scheduler", read };

const strip =
  /^(SCHEDULE_ARN|TARGET_ARN|ERROR_CODE|ERROR_MESSAGE|EXECUTION_ID|EXHAUSTED_RETRY_CONDITION|IS_PAYLOAD_TRUNCATED|RETRY_ATTEMPTS|SCHEDULED_TIME)$/;

function read(view: LetterView): Facts | null {
  if (!has(view, "SCHEDULE_ARN")) return null;
  return {
    source: arnName(lastText(view, "SCHEDULE_ARN")),
    ...deliveryFailure(view),
    lastFailedAt: view.letter.timestamp,
    messageId: lastText(view, "EXECUTION_ID"),
    destination: arnName(lastText(view, "TARGET_ARN")),
    strip: namesLike(view, strip),
  };
}
