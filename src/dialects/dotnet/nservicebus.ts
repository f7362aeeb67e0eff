import type { Dialect, Facts } from "../dialect.ts";
import { type LetterView, lastText, namesLike } from "../letter-view.ts";
import { isoTime } from "../times.ts";

/** NServiceBus. Its counters are removed before the error queue, so nobody knows how often it was tried. */
export const nservicebus: Dialect = { id: "nservicebus", read };

const strip =
  /^(NServiceBus\.(Retries|FailedQ|TimeOfFailure|ExceptionInfo\.)|NServiceBus\.FLRetries|ServiceControl\.EditOf)/;

function read(view: LetterView): Facts | null {
  const failedQueue = lastText(view, "NServiceBus.FailedQ");
  if (failedQueue === undefined) return null;
  // `queue@machine` on MSMQ, `queue@[schema]@[catalog]` on SQL Server.
  const queue = failedQueue.split("@")[0];
  return {
    source: queue,
    errorClass: lastText(view, "NServiceBus.ExceptionInfo.ExceptionType"),
    errorMessage: lastText(view, "NServiceBus.ExceptionInfo.Message"),
    stack: lastText(view, "NServiceBus.ExceptionInfo.StackTrace"),
    enqueuedAt: isoTime(lastText(view, "NServiceBus.TimeSent")),
    lastFailedAt: isoTime(lastText(view, "NServiceBus.TimeOfFailure")),
    contentType: lastText(view, "NServiceBus.ContentType"),
    messageId: lastText(view, "NServiceBus.MessageId"),
    correlationId: lastText(view, "NServiceBus.CorrelationId") ?? lastText(view, "NServiceBus.ConversationId"),
    schema: lastText(view, "NServiceBus.EnclosedMessageTypes")?.split(/[,;]/)[0],
    consumer: lastText(view, "NServiceBus.ProcessingEndpoint"),
    host: lastText(view, "NServiceBus.ProcessingMachine"),
    handler: lastText(view, "NServiceBus.ExceptionInfo.Data.Handler type"),
    destination: lastText(view, "ServiceControl.RetryTo") ?? queue,
    strip: namesLike(view, strip),
  };
}
