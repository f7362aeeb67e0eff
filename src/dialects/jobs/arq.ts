import type { Dialect, Facts } from "../dialect.ts";
import { reprError } from "../error-texts.ts";
import { countOf, isObject, member, textOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";
import { anyTime } from "../times.ts";
import { isStore, payloadOf } from "./job-record.ts";

/** arq keeps a result only, pickled unless it was told otherwise: then there is nothing to read. */
export const arq: Dialect = { id: "arq", read };

function read(view: LetterView): Facts | null {
  if (!isStore(view, "arq")) return null;
  const result = view.json();
  if (!isObject(result)) return {};
  const queue = textOf(member(result, "q"));
  const error = textOf(member(result, "r"));
  const tries = countOf(member(result, "t"));
  return {
    source: queue,
    ...(isExhausted(error) ? {} : reprError(error)),
    attempts: attemptsOf(tries, error),
    lastFailedAt: anyTime(textOf(member(result, "ft"))),
    payload: payloadOf(member(result, "a")),
    messageId: textOf(member(result, "id")),
    handler: textOf(member(result, "f")),
    destination: queue,
  };
}

/** After the last retry the cause is gone, */
function isExhausted(error: string | undefined): boolean {
  return /max \d+ retries exceeded/.test(error ?? "");
}

/** and it counts one that was not made. A function it does not know was not run either. */
function attemptsOf(tries: number | undefined, error: string | undefined): number | undefined {
  if (/function '[^']*' not found/.test(error ?? "")) return 0;
  return isExhausted(error) && tries !== undefined && tries > 0 ? tries - 1 : tries;
}
