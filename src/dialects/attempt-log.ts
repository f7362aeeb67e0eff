import type { AttemptReading } from "../domain/dead-letter.ts";

/** What a letter says of one attempt; what it leaves out nobody knows. */
export type AttemptFacts = { readonly [Fact in keyof AttemptReading]?: AttemptReading[Fact] | undefined };

/** Nobody reads more rows; a job that was retried for a month has thousands. */
const mostAttempts = 100;
const messageCharacters = 500;

const unknown: AttemptReading = {
  n: null,
  at: null,
  waitMs: null,
  consumer: null,
  version: null,
  process: null,
  errorClass: null,
  errorMessage: null,
  errorCode: null,
  httpStatus: null,
  outcome: "retried",
};

/** Attempts in the order in which they were made, the latest if there are many. The last of them is what the letter died of. */
export function attemptLog(attempts: readonly AttemptFacts[]): readonly AttemptReading[] | undefined {
  if (attempts.length === 0) return undefined;
  const latest = attempts.slice(-mostAttempts);
  return latest.map((facts, index) => complete(facts, index === latest.length - 1));
}

function complete(facts: AttemptFacts, isLast: boolean): AttemptReading {
  const said = Object.entries(facts).filter(([, value]) => value !== undefined);
  const attempt: AttemptReading = {
    ...unknown,
    outcome: isLast ? "dead_lettered" : "retried",
    ...Object.fromEntries(said),
  };
  return {
    ...attempt,
    errorClass: attempt.errorClass?.slice(0, 200) ?? null,
    errorMessage: attempt.errorMessage?.slice(0, messageCharacters) ?? null,
  };
}

/** Numbers for attempts of which the last ones were kept, counted back from how many there were. */
export function numbered(attempts: readonly AttemptFacts[], made: number | undefined): readonly AttemptFacts[] {
  if (made === undefined || made < attempts.length) return attempts;
  return attempts.map((facts, index) => ({ n: made - attempts.length + index + 1, ...facts }));
}
