import { inflateSync } from "node:zlib";
import { textOf as utf8 } from "../../domain/text-of.ts";
import { fromBase64 } from "../bytes.ts";
import type { Dialect, Facts } from "../dialect.ts";
import { countOf, isObject, type Json, type JsonObject, listOf, member, parseContainer, textOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";
import { epochTime } from "../times.ts";
import { isStore, payloadOf } from "./job-record.ts";

/** Sidekiq's dead set: the job itself, with its failure in it. */
export const sidekiq: Dialect = { id: "sidekiq", read };

/** Fields of the job, whether this one has them or not: Sidekiq writes them as it goes. */
const strip = ["retry_count", "failed_at", "retried_at", "error_message", "error_class", "error_backtrace"];

function read(view: LetterView): Facts | null {
  const job = view.json();
  if (!isStore(view, "sidekiq") || !isObject(job)) return null;
  // Where retries have a queue of their own, its name is all that is left.
  const queue = member(job, "retry_queue") === undefined ? textOf(member(job, "queue")) : undefined;
  const retries = countOf(member(job, "retry_count"));
  return {
    source: queue,
    errorClass: textOf(member(job, "error_class")),
    errorMessage: textOf(member(job, "error_message")),
    stack: backtraceOf(member(job, "error_backtrace")),
    attempts: retries === undefined ? undefined : retries + 1,
    ...times(job),
    payload: payloadOf(member(job, "args")),
    messageId: textOf(member(job, "jid")),
    handler: textOf(member(job, "wrapped") ?? member(job, "class")),
    destination: queue,
    strip,
  };
}

/** Milliseconds since version 8, seconds before. A job that died on its first run was never retried. */
function times(job: JsonObject): Facts {
  const at = (name: string) => {
    const value = member(job, name);
    return typeof value === "number" ? epochTime(value) : undefined;
  };
  return {
    enqueuedAt: at("created_at") ?? at("enqueued_at"),
    firstFailedAt: at("failed_at"),
    lastFailedAt: at("retried_at") ?? at("failed_at"),
  };
}

/** Larger ones are left alone: whoever wrote the job decides what it inflates to. */
const maxBytes = 1024 * 1024;

/** base64 of deflated JSON; a plain list before version 5. */
function backtraceOf(value: Json | undefined): string | undefined {
  const lines = typeof value === "string" ? parseContainer(inflated(value) ?? "") : value;
  const texts = listOf(lines).flatMap((line) => textOf(line) ?? []);
  return texts.length === 0 ? undefined : texts.join("\n");
}

export function inflated(base64: string): string | undefined {
  const bytes = fromBase64(base64);
  try {
    return bytes === undefined ? undefined : (utf8(inflateSync(bytes, { maxOutputLength: maxBytes })) ?? undefined);
  } catch {
    return undefined;
  }
}
