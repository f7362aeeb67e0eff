import type { InputOf, OperationName, OutputOf } from "../../src/office/operations/operations.ts";
import { ask } from "./office.ts";
import { officeNow } from "./office-clock.ts";

interface Early {
  readonly data: unknown;
  /** When it came. */
  readonly at: number;
}

/** By the question; null where it was refused. */
const early = new Map<string, Promise<Early | null>>();

export function questionOf<Name extends OperationName>(name: Name, input: InputOf<Name>): string {
  return JSON.stringify([name, input]);
}

/** Asks before a page is there to show the answer. Whoever is not signed in is refused, and asks again when they are. */
export function askEarly<Name extends OperationName>(name: Name, input: InputOf<Name>): void {
  early.set(
    questionOf(name, input),
    ask(name, input).then(
      (data) => ({ data, at: officeNow() }),
      () => null,
    ),
  );
}

/** What was asked early, for the first who wants to know; null where it was not, or in vain. */
export async function earlyAnswer<Name extends OperationName>(
  question: string,
): Promise<{ readonly data: OutputOf<Name>; readonly at: number } | null> {
  const asked = early.get(question);
  early.delete(question);
  const answer = await asked;
  // The question names the operation.
  return answer == null ? null : { ...answer, data: answer.data as OutputOf<Name> };
}
