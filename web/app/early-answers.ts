import type { InputOf, OperationName, OutputOf } from "../../src/office/operations/operations.ts";
import { ask } from "./office.ts";

/** By the question; null where it was refused. */
const early = new Map<string, Promise<unknown>>();

export function questionOf<Name extends OperationName>(name: Name, input: InputOf<Name>): string {
  return JSON.stringify([name, input]);
}

/** Asks before a page is there to show the answer. Whoever is not signed in is refused, and asks again when they are. */
export function askEarly<Name extends OperationName>(name: Name, input: InputOf<Name>): void {
  early.set(
    questionOf(name, input),
    ask(name, input).catch(() => null),
  );
}

/** What was asked early, for the first who wants to know; null where it was not, or in vain. */
export async function earlyAnswer<Name extends OperationName>(question: string): Promise<OutputOf<Name> | null> {
  const answer = early.get(question);
  early.delete(question);
  // The question names the operation.
  return ((await answer) ?? null) as OutputOf<Name> | null;
}
