import { isOfficeError } from "../../domain/errors.ts";
import type { ServerFailure } from "../../http/error-answer.ts";
import { visible } from "../terminal/text.ts";

/**
 * What the log says of a request that failed. A refusal, such as of one stream too many, is one line: it happens as often as someone asks, and
 * a stack would only show where we refuse. Anything else may be a bug, which takes its stack.
 */
export function failureText({ id, method, path, error }: ServerFailure): string {
  const request = `${id} ${method} ${visible(path)}`;
  if (isOfficeError(error)) return `${request}: ${visible(error.message)}${causeOf(error)}`;
  return `${request}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? ` (${visible(cause.message)})` : "";
}
