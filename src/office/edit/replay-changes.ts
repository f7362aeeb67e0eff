import type { ReplayItem } from "../../ledger/replay-items.ts";
import { type Draft, draftOf, type EditParts, type ShownRevision, showRevision } from "./edit-letter.ts";
import { parsePatch } from "./patch-json.ts";
import { type Revision, revise } from "./revise.ts";

/** What becomes of a letter that a replay sends edited, against what it came as. */
export async function changesOfItem(
  parts: EditParts,
  patch: string | null,
  { letterId, revision }: Pick<ReplayItem, "letterId" | "revision">,
): Promise<ShownRevision> {
  const draft = await draftOf(parts, letterId);
  const kept = draft.edits[revision - 1];
  const made = kept ?? {
    ...patchedBody(parts, draft, { patch, revision }),
    headers: draft.edits[revision - 2]?.headers ?? null,
  };
  return showRevision({ body: draft.original, headers: null, came: draft.came }, made, parts.ledger.masking);
}

/** Not sent yet, so kept nowhere: made again from the patch, as it will be when its turn comes. */
function patchedBody(
  { ledger }: EditParts,
  { edits, original }: Draft,
  { patch, revision }: { readonly patch: string | null; readonly revision: number },
): Pick<Revision, "body" | "written"> {
  const before = edits[revision - 2]?.body ?? original;
  return revise(before, { kind: "patch", steps: parsePatch(patch ?? "[]") }, ledger.masking);
}
