import { requireNumber } from "./options.ts";

/** What a handler takes its failure for, when it knows. The first four are the runtime's routing kinds. */
export type FailureKind = "transient" | "schema" | "business" | "integration" | "unknown";

/** Throw this to say: no retry will help, dead-letter it now. */
export class Unprocessable extends Error {
  override readonly name: string = "Unprocessable";
  readonly instruction = "dead-letter";
  readonly kind: FailureKind;

  constructor(message: string, { kind = "business", cause }: { kind?: FailureKind; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** A year. */
export const longestWaitMs = 365 * 86_400_000;

/** Throw this to say: try again, but not before `afterMs`. It still counts as an attempt. */
export class RetryLater extends Error {
  override readonly name: string = "RetryLater";
  readonly instruction = "retry";
  /** Milliseconds from now, a year at most. */
  readonly afterMs: number;

  constructor(message: string, { afterMs, cause }: { afterMs: number; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    // A date in place of a duration would hide the message for half a century.
    requireNumber("afterMs", afterMs, { min: 0, max: longestWaitMs });
    this.afterMs = afterMs;
  }
}

/** Throw this to say: keep it aside in `<queue>.parked` until somebody releases it. */
export class Park extends Error {
  override readonly name: string = "Park";
  readonly instruction = "park";
}

/** Recognised by what they carry, not by class or name: a subclass and a second copy of the package are understood too. */
export function isInstruction(error: unknown): error is Unprocessable | RetryLater | Park {
  return error instanceof Error && "instruction" in error && instructions.has(error.instruction);
}

const instructions: ReadonlySet<unknown> = new Set(["dead-letter", "retry", "park"]);
