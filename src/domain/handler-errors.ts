import { requireNumber } from "./options.ts";

/** What a handler takes its failure for, when it knows. The first four are the runtime's routing kinds. */
export type FailureKind = "transient" | "schema" | "business" | "integration" | "unknown";

/** Throw this to say: no retry will help, dead-letter it now. */
export class Unprocessable extends Error {
  override readonly name = "Unprocessable";
  readonly kind: FailureKind;

  constructor(message: string, { kind = "business", cause }: { kind?: FailureKind; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

/** Throw this to say: try again, but not before `afterMs`. It still counts as an attempt. */
export class RetryLater extends Error {
  override readonly name = "RetryLater";
  /** Milliseconds from now. */
  readonly afterMs: number;

  constructor(message: string, { afterMs, cause }: { afterMs: number; cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    requireNumber("afterMs", afterMs, { min: 0 });
    this.afterMs = afterMs;
  }
}

/** Throw this to say: keep it aside in `<queue>.parked` until somebody releases it. */
export class Park extends Error {
  override readonly name = "Park";
}

/** The three are recognised by name, so that a second copy of the package is understood too. */
export function isInstruction(error: unknown): error is Unprocessable | RetryLater | Park {
  return error instanceof Error && ["Unprocessable", "RetryLater", "Park"].includes(error.name);
}
