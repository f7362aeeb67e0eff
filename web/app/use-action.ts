import { useRef, useState } from "react";
import { isOfficeError } from "../../src/domain/errors.ts";
import type { InputOf, OperationName, OutputOf } from "../../src/office/operations/operations.ts";
import { ask, type Refused } from "./office.ts";
import { refusedBy } from "./refused-by.ts";

export interface Action<Name extends OperationName> {
  /** Gives the answer, or null when it was refused: `refused` then says why. */
  readonly run: (input: InputOf<Name>) => Promise<OutputOf<Name> | null>;
  readonly isBusy: boolean;
  readonly refused: Refused | null;
  readonly forget: () => void;
}

/**
 * Asks the office to do something. When no answer came, nobody knows whether it was done: asked again with the same words
 * it carries the same key, and is done once.
 */
export function useAction<Name extends OperationName>(name: Name): Action<Name> {
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Refused | null>(null);
  const unanswered = useRef({ words: "", key: "" });
  const run = async (input: InputOf<Name>) => {
    const words = JSON.stringify(input);
    const key = unanswered.current.words === words ? unanswered.current.key : newKey();
    unanswered.current = { words: "", key: "" };
    setBusy(true);
    try {
      const answer = await ask(name, input, { idempotencyKey: key });
      setRefused(null);
      return answer;
    } catch (error) {
      if (isOfficeError(error, "SERVER_UNAVAILABLE")) unanswered.current = { words, key };
      setRefused(refusedBy(error));
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy, refused, forget: () => setRefused(null) };
}

/** `randomUUID` is missing where the office is reached over plain HTTP. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
