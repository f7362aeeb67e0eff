import type { ReplayItem } from "../../ledger/replay-items.ts";
import { type Draft, draftOf, type EditParts } from "./edit-letter.ts";
import { parsePatch } from "./patch-json.ts";
import { revise } from "./revise.ts";
import { type ShownChanges, showChanges } from "./show-changes.ts";

/** What becomes of a letter that a replay sends edited, against what it came as. */
export async function changesOfItem(
  parts: EditParts,
  patch: string | null,
  { letterId, revision }: Pick<ReplayItem, "letterId" | "revision">,
): Promise<ShownChanges> {
  const draft = await draftOf(parts, letterId);
  const body = draft.edits[revision - 1]?.body ?? patchedBody(parts, draft, { patch, revision });
  return showChanges(draft.original, body, parts.ledger.masking);
}

/** Not sent yet, so kept nowhere: made again from the patch, as it will be when its turn comes. */
function patchedBody(
  { ledger }: EditParts,
  { edits, original }: Draft,
  { patch, revision }: { readonly patch: string | null; readonly revision: number },
): Uint8Array {
  const before = edits[revision - 2]?.body ?? original;
  return revise(before, { kind: "patch", steps: parsePatch(patch ?? "[]") }, ledger.masking).body;
}
