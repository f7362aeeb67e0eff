import { isOfficeError } from "../../src/domain/errors.ts";
import type { Refused } from "./office.ts";

/** What people read of a refusal. */
export function refusedBy(error: unknown): Refused {
  if (!isOfficeError(error)) return { message: "Something failed in this page.", hint: String(error) };
  const hint = typeof error.details.hint === "string" ? error.details.hint : null;
  return { message: error.message, hint, code: error.code };
}
