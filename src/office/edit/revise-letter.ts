import type { BodySchema } from "../../domain/body-schema.ts";
import type { Category } from "../../domain/classification.ts";
import type { HeaderChange } from "../../domain/header-changes.ts";
import { hexOf } from "../../domain/ids.ts";
import type { Masking } from "../../domain/redaction.ts";
import type { Edit } from "../../ledger/edits.ts";
import { EditRefused } from "./edit-refused.ts";
import type { PatchStep } from "./patch-json.ts";
import { requireSchema } from "./require-schema.ts";
import { revise } from "./revise.ts";

/** A letter as a replay would send it. */
export interface RevisedLetter {
  /** What would be sent; null when it is not at hand. */
  readonly payload: Uint8Array | null;
  /** What its edit puts in the place of headers; null: they go as they came. */
  readonly headers: readonly HeaderChange[] | null;
  /** 0 is the original. */
  readonly revision: number;
  /** It was made by the replay's patch just now, and is kept nowhere yet. */
  readonly isNew: boolean;
  /** Why the replay's patch cannot be applied to it; null when it can, or there is none. */
  readonly refused: string | null;
}

export interface Revising {
  /** As it came. */
  readonly original: Uint8Array | null;
  readonly latest: Edit | undefined;
  readonly category: Category;
  /** Of the replay; null: each letter goes as it is. */
  readonly patch: readonly PatchStep[] | null;
  /** The replay that asks, where it is under way. */
  readonly ownReplay: Uint8Array | null;
  /** What its body must be after an edit. */
  readonly schema: BodySchema | null;
  readonly masking: Masking;
}

/** The latest edit of a letter, or what a replay's patch makes of that. */
export function reviseLetter(revising: Revising): RevisedLetter {
  const { original, latest, patch, ownReplay, category, schema, masking } = revising;
  const payload = latest?.body ?? original;
  const revision = latest?.revision ?? 0;
  // A patch is of bodies: what somebody made of the headers stays.
  const headers = latest?.headers ?? null;
  const asItIs = { payload, headers, revision, isNew: false, refused: null };
  if (patch === null || isOf(latest, ownReplay)) return asItIs;
  // What a business rule refused is somebody's own case: what is right for one is not for the next.
  if (category === "business_rule") {
    return { ...asItIs, refused: "A business_rule letter is edited by itself, never with others by one patch." };
  }
  try {
    const { body } = revise(payload, { kind: "patch", steps: patch }, masking);
    requireSchema(schema, body);
    return { payload: body, headers, revision: revision + 1, isNew: true, refused: null };
  } catch (error) {
    if (error instanceof EditRefused) return { ...asItIs, refused: error.message };
    throw error;
  }
}

/** This replay was interrupted after it had made its edit: it is not edited twice. */
function isOf(latest: Edit | undefined, replay: Uint8Array | null): boolean {
  const maker = latest?.replay ?? null;
  return maker !== null && replay !== null && hexOf(maker) === hexOf(replay);
}
