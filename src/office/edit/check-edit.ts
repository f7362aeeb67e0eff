import { parseJsonText } from "../../domain/json-text.ts";
import { EditRefused } from "./edit-refused.ts";
import { diffJson, type JsonChange, sameNumber } from "./json-diff.ts";

/** What an edit of a JSON body changes; empty when only spaces or spelling did. */
export function checkJsonEdit(before: string, after: string): readonly JsonChange[] {
  const changes = diffJson({ text: before, node: parseJsonText(before) }, { text: after, node: parseJsonText(after) });
  const rounded = changes.find(isRounded);
  if (rounded !== undefined) {
    throw new EditRefused(
      "edit.precision_lost",
      `The number at ${JSON.stringify(rounded.path)} became ${rounded.after} and was ${rounded.before}: a program on the way rounded it. Send the edit as a patch, or as text nobody parsed.`,
    );
  }
  return changes;
}

/**
 * A number that changed into the nearest double of what it was. Nobody types that: it is what a document looks like
 * after some program read it into doubles and wrote it out again.
 */
function isRounded({ before, after }: JsonChange): boolean {
  if (before === null || after === null || !isNumber(before) || !isNumber(after)) return false;
  return Number(before) === Number(after) && !sameNumber(before, after);
}

function isNumber(text: string): boolean {
  return /^[-0-9]/u.test(text);
}
