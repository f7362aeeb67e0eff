import type { Dialect, Facts } from "../dialect.ts";
import { isObject, member, textOf } from "../json.ts";
import type { LetterView } from "../letter-view.ts";
import { isStore } from "./job-record.ts";

/** machinery keeps the state of a task: no arguments and no queue, so it cannot be sent again. */
export const machinery: Dialect = { id: "machinery", read };

function read(view: LetterView): Facts | null {
  const state = view.json();
  if (!isStore(view, "machinery") || !isObject(state)) return null;
  return {
    errorMessage: textOf(member(state, "Error")),
    messageId: textOf(member(state, "TaskUUID")),
    handler: textOf(member(state, "TaskName")),
  };
}
