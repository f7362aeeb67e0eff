import { isOfficeError, OfficeError } from "../../domain/errors.ts";

/** The broker cannot be asked, refused or did not answer. Whether it did what it was asked is then unknown. */
export function unavailable(what: string, cause?: unknown): OfficeError {
  if (isOfficeError(cause, "MISSING_CLIENT_LIBRARY")) return cause; // No broker was asked, and waiting does not help.
  const why = cause instanceof Error ? `: ${cause.message}` : ".";
  return new OfficeError("TRANSPORT_UNAVAILABLE", `${what}${why}`, { cause });
}
