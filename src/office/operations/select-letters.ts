import { z } from "zod";
import type { Actor } from "../../domain/actor.ts";
import { OfficeError } from "../../domain/errors.ts";
import { showCount } from "../../domain/show-count.ts";
import { findInStates } from "../../ledger/search/find-letters.ts";
import { requireLetters } from "../../ledger/search/require-letters.ts";
import type { Decidable } from "../decide/decide-letters.ts";
import { searchedUnjudged } from "../replay/searched-now.ts";
import type { Office } from "./operation.ts";
import { confirmUnknown, requireKnownNames } from "./unknown-names.ts";
import { wholeNumber } from "./whole-number.ts";

const selectedAtMost = 10_000;

/** Which letters somebody decides about, and why. */
export const selectedLetters = z.object({
  letters: z.array(z.string()).max(selectedAtMost).default([]),
  q: z.string().default(""),
  reason: z.string(),
  /** How many letters it is about, for more than one: a search may find more than one believes. */
  expectCount: wholeNumber().nullable().default(null),
  confirmUnknown,
});

export type SelectedLetters = z.output<typeof selectedLetters>;

/** Those that are named, or that a search finds and this could be done with; as many as are expected. */
export async function selectLetters(
  office: Office,
  actor: Actor,
  { from }: Decidable,
  { letters, q, expectCount, confirmUnknown: confirmed }: SelectedLetters,
): Promise<readonly Uint8Array[]> {
  // A filter that is empty by mistake would select everything there is.
  if (letters.length > 0 === (q.trim() !== "")) {
    throw new OfficeError("INVALID_OPTION", "Say which letters: a search, or ids, and not both.");
  }
  const { ledger } = office;
  const search = { q, ...searchedUnjudged(office, actor) };
  if (letters.length === 0) await requireKnownNames(ledger, search, confirmed);
  const found =
    letters.length > 0
      ? await requireLetters(ledger, letters)
      : await findInStates(ledger, search, { states: from, atMost: selectedAtMost });
  if (found.length === 0)
    throw new OfficeError(
      "LETTER_NOT_FOUND",
      "No letter matches that this could be done with. Look with `dlo letters`.",
    );
  if (expectCount !== null || found.length > 1) requireCount(found.length, expectCount);
  return found;
}

export function requireCount(found: number, expected: number | null): void {
  if (expected === found) return;
  const text = `This is about ${showCount(found, "letter")}. If that is what you expect, say so with that number.`;
  throw new OfficeError("PLAN_CHANGED", text, { details: { found, expected } });
}
