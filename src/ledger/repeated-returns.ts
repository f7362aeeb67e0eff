import type { Queries } from "../domain/database.ts";
import type { SendMark } from "../domain/send-mark.ts";
import { failureKey, type NamedFailure, takeNames } from "./failure-names.ts";
import type { Ledger } from "./ledger.ts";
import type { NewLetter } from "./new-letter.ts";

/**
 * Of messages that replays had sent and that died again: those whose failure their letter has already, since its consumer left two dead
 * letters of it. Notes the names of the others. Once something was decided about the letter, a copy that comes so late is for a person to
 * judge.
 */
export async function findRepeatedReturns(
  ledger: Ledger,
  transaction: Queries,
  returns: readonly { readonly letter: NewLetter; readonly mark: SendMark }[],
): Promise<ReadonlyMap<NewLetter, Uint8Array>> {
  const repeated = new Map<NewLetter, Uint8Array>();
  const firsts = new Map<string, { readonly letter: NewLetter; readonly name: NamedFailure }>();
  for (const { letter, mark } of returns) {
    const key = failureKey(letter);
    if (key === null) continue;
    if (firsts.has(key)) repeated.set(letter, mark.letter);
    else firsts.set(key, { letter, name: { key, letter: mark.letter, failedAt: letter.times.failedAt } });
  }
  const names = [...firsts.values()].map(({ name }) => name);
  const taken = await takeNames(ledger, transaction, names);
  for (const { letter, name } of firsts.values()) {
    const before = taken.get(name.key);
    if (before?.isOpen) repeated.set(letter, name.letter);
  }
  return repeated;
}
