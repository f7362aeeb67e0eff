import type { InputOf, OperationName, OutputOf } from "../../src/office/operations/operations.ts";
import { questionOf } from "./early-answers.ts";
import { ask } from "./office.ts";

const asked = new Map<string, Promise<unknown>>();

/** Asks once for all parts of a page that want to know the same in one moment, as they do whenever something changed. */
export function askTogether<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
  const question = questionOf(name, input);
  const answer = asked.get(question) ?? ask(name, input);
  asked.set(question, answer);
  // Who wants to know later wants to know how it is later.
  setTimeout(() => asked.delete(question));
  // The question names the operation.
  return answer as Promise<OutputOf<Name>>;
}
