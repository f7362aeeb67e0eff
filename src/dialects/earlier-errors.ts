import type { EarlierError } from "../domain/classification.ts";
import type { LetterReading } from "../domain/dead-letter.ts";
import type { Facts } from "./dialect.ts";

/** More than anybody reads. */
const most = 20;

type ErrorFacts = { readonly [Fact in "errorClass" | "errorMessage" | "errorCode"]?: string | null | undefined };

/** What all marks on a letter tell of errors, and what its attempts ended with, without the one that is told as its failure. */
export function earlierErrors(
  all: readonly Facts[],
  { attemptLog, ...best }: Pick<LetterReading, keyof ErrorFacts | "attemptLog">,
): readonly EarlierError[] {
  const isBest = ({ errorClass, message, code }: EarlierError) =>
    (errorClass === null || errorClass === best.errorClass) &&
    (message === null || message === best.errorMessage) &&
    (code === null || code === best.errorCode);
  const told = [...all.toReversed(), ...(attemptLog ?? [])].flatMap(errorIn);
  return told.filter((error) => !isBest(error)).slice(-most);
}

function errorIn({ errorClass = null, errorMessage = null, errorCode = null }: ErrorFacts): EarlierError[] {
  if (errorClass === null && errorMessage === null && errorCode === null) return [];
  return [{ errorClass, message: errorMessage, code: errorCode }];
}
