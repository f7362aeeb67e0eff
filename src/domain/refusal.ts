import type { OfficeError } from "./errors.ts";
import { publicCodes } from "./public-codes.ts";

/** A refusal as every door tells it: a code for programs, a sentence for people, and the way out where it is apart. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

export function refusalOf({ code, message, details }: OfficeError): Refusal {
  const [sentence = "", nearest] = message.split(/ (?=Did you mean )/);
  const hint = typeof details.hint === "string" ? details.hint : nearest;
  return { code: publicCodes[code], message: sentence, hint: hint ?? null };
}
