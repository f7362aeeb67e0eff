import { isOfficeError } from "../domain/errors.ts";
import { refusalOf } from "../domain/refusal.ts";
import { exit, exitCodes } from "./exit-codes.ts";

/** Why a command did not do what was asked: a sentence for people, a code for programs, and what to try next. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly exitCode: number;
}

/** A command line that cannot be understood. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code: string;
  readonly hint: string | null;

  constructor(
    code: "unknown_command" | "unknown_option" | "missing_value" | "unexpected_value",
    message: string,
    hint?: string,
  ) {
    super(message);
    this.code = `input.${code}`;
    this.hint = hint ?? null;
  }
}

/** Thrown where a command notices Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** Says what went wrong; what is neither a refusal nor a usage error is a bug of ours and says so. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) {
    return { code: error.code, message: error.message, hint: error.hint, exitCode: exit.usage };
  }
  // A request to a server that Ctrl-C broke off: nothing else aborts one.
  if (error instanceof Interrupted || (error instanceof Error && error.name === "AbortError")) {
    return { code: "interrupted", message: "Interrupted.", hint: null, exitCode: exit.interrupted };
  }
  if (isOfficeError(error)) {
    const { code, message, hint } = refusalOf(error);
    return { code, message, hint, exitCode: exitCodes[error.code] };
  }
  return {
    code: "internal",
    message: `dlo has a bug: ${error instanceof Error ? error.message : String(error)}`,
    hint: "Its stack is on stderr. Please report it with that.",
    exitCode: exit.bug,
  };
}
