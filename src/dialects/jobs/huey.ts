import type { Dialect, Facts } from "../dialect.ts";
import type { LetterView } from "../letter-view.ts";
import { columnText, isStore } from "./job-record.ts";

/** huey keeps a pickled error, which is never loaded: no more is known than the task's id. */
export const huey: Dialect = { id: "huey", read };

function read(view: LetterView): Facts | null {
  return isStore(view, "huey") ? { messageId: columnText(view, "field") } : null;
}
