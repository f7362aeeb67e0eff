import { isFinal, isOfficeError } from "../../domain/errors.ts";

/** What the client is told of a failure: of these SQS was not reached, or said itself that it did nothing. */
const undone = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|Throttl|TooManyRequests|OverLimit/iu;

/** Questions that come before anything is sent. */
const before = /^sqs:(GetQueueUrl|CreateQueue) /u;

/** Whether nothing was sent, so that it may be asked for again without being there twice. */
export function isUndone(error: unknown): boolean {
  if (!isOfficeError(error)) return false;
  // A body is kept before its message is sent.
  if (isFinal(error) || error.code === "STORE_UNAVAILABLE") return true;
  return undone.test(String(error.details.sqs)) || before.test(String(error.details.request));
}

interface Token {
  getRetryCount(): number;
  getRetryDelay(): number;
}

interface Failure {
  readonly error?: unknown;
}

const firstDelayMs = 100;

/**
 * How the client repeats sends by itself to queues that know no repetition: only those that were not done. What may have been done is
 * for us to judge, since it would be there twice.
 */
export function repeatingUndone(maxAttempts: number) {
  const token = (count: number): Token => ({
    getRetryCount: () => count,
    getRetryDelay: () => (count === 0 ? 0 : firstDelayMs * 2 ** (count - 1)),
  });
  return {
    mode: "undone",
    acquireInitialRetryToken: async () => token(0),
    async refreshRetryTokenForRetry(before: Token, { error }: Failure): Promise<Token> {
      const count = before.getRetryCount() + 1;
      if (count < maxAttempts && undone.test(saidBy(error))) return token(count);
      throw error;
    },
    recordSuccess: () => {},
  };
}

function saidBy(error: unknown): string {
  const { name = "", code = "", message = "" } = (error ?? {}) as Partial<Record<"name" | "code" | "message", string>>;
  return `${name} ${code} ${message}`;
}
