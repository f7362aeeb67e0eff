import { textOf as utf8 } from "../../domain/text-of.ts";
import { bytesAt, type Fields, numberAt, readProtobuf } from "../bytes.ts";
import type { Dialect, Facts } from "../dialect.ts";
import type { LetterView } from "../letter-view.ts";
import { plausible } from "../times.ts";
import { fieldBytes, isStore } from "./job-record.ts";

/** asynq's archived tasks: a protobuf in a hash, with zeros left out. */
export const asynq: Dialect = { id: "asynq", read };

function read(view: LetterView): Facts | null {
  const bytes = isStore(view, "asynq") ? fieldBytes(view, "msg") : undefined;
  const fields = bytes === undefined ? undefined : readProtobuf(bytes);
  if (fields === undefined) return isStore(view, "asynq") ? {} : null;
  const queue = text(fields, 4);
  const error = text(fields, 7);
  const failed = numberAt(fields, 11);
  return {
    source: queue,
    errorMessage: error,
    attempts: attemptsOf(numberAt(fields, 6), error ?? ""),
    lastFailedAt: failed === 0 ? undefined : plausible(failed * 1_000),
    payload: bytesAt(fields, 2),
    messageId: text(fields, 3),
    handler: text(fields, 1),
    destination: queue,
  };
}

/** A worker that was killed did not get to count. */
function attemptsOf(retried: number, error: string): number | undefined {
  if (error.startsWith("handler not found for task")) return 0;
  return error.includes("asynq: task lease expired") ? undefined : retried + 1;
}

function text(fields: Fields, at: number): string | undefined {
  const bytes = bytesAt(fields, at);
  return bytes === undefined ? undefined : (utf8(bytes) ?? undefined);
}
