import type { EarlierError } from "../domain/classification.ts";
import type { Facts } from "./dialect.ts";
import type { ErrorText } from "./error-texts.ts";

/** More than anybody reads. */
const most = 20;

/** An error as triage takes it; nothing where none was written down. */
export function earlierError({
  errorClass,
  errorMessage,
  code,
}: ErrorText & { code?: string | undefined }): EarlierError[] {
  if (errorClass === undefined && errorMessage === undefined && code === undefined) return [];
  return [{ errorClass: errorClass ?? null, message: errorMessage ?? null, code: code ?? null }];
}

/** What all marks on a letter tell of errors, without the one that is told as its failure. */
export function otherErrors(
  all: readonly Facts[],
  best: Pick<Facts, "errorClass" | "errorMessage" | "errorCode">,
): readonly EarlierError[] {
  const isBest = ({ errorClass, message, code }: EarlierError) =>
    (errorClass === null || errorClass === best.errorClass) &&
    (message === null || message === best.errorMessage) &&
    (code === null || code === best.errorCode);
  const others = all.flatMap(({ errorClass, errorMessage, errorCode }) =>
    earlierError({
      errorClass: errorClass ?? undefined,
      errorMessage: errorMessage ?? undefined,
      code: errorCode ?? undefined,
    }),
  );
  const told = all.flatMap(({ earlierErrors = [] }) => earlierErrors);
  return [...others.toReversed(), ...told].filter((error) => !isBest(error)).slice(-most);
}
