import { JsonTextError, parseJsonText } from "../../domain/json-text.ts";
import { maskPayload } from "../../domain/mask-json.ts";
import { type Masking, mask } from "../../domain/redaction.ts";
import { textOf } from "../../domain/text-of.ts";
import type { Change } from "./body-change.ts";
import { checkJsonEdit } from "./check-edit.ts";
import { EditRefused } from "./edit-refused.ts";
import type { JsonChange } from "./json-diff.ts";
import { quote, sourcesIn } from "./json-pointer.ts";
import { type PatchStep, patchJson } from "./patch-json.ts";
import { restoreMasked } from "./restore-masked.ts";
import { writtenMasks } from "./written-masks.ts";

export interface Revision {
  readonly body: Uint8Array;
  /** Where two JSON documents differ in meaning; null where not both are JSON. */
  readonly changes: readonly JsonChange[] | null;
  /** Places that are masked and were given a value, which may be the one that stood there. */
  readonly written: readonly string[];
}

/** Larger bodies are replaced at their source, not by hand. */
export const largestEdit = 1_048_576;
/** What a patch makes small enough may be larger before, in bytes. */
const largestRead = 16_777_216;

/**
 * The body that a change makes of another one, which is null where it is not at hand. Refuses what would send something
 * nobody meant: a mask, a rounded number, what is behind a mask in a place where there is none.
 */
export function revise(before: Uint8Array | null, change: Change, masking: Masking): Revision {
  const text = before === null || isTooLarge(before, change) ? null : textOf(before);
  const body = change.kind === "body" ? change.body : encoded(revisedText(text, change, masking));
  if (body.byteLength > largestEdit) {
    throw new EditRefused("edit.too_large", `It would be ${body.byteLength} bytes; ${largestEdit} can be edited.`);
  }
  const after = textOf(body);
  const written =
    text === null || after === null
      ? []
      : writtenMasks({ before: text, shown: maskPayload(text, masking), after }, change);
  if (before !== null && written.length === 0 && Buffer.compare(before, body) === 0) {
    throw new EditRefused("edit.nothing_changed", "That is what it was: nothing would change.");
  }
  if (after !== null) requireNoMask(text ?? "", after);
  return { body, written, changes: text === null || after === null ? null : changesOf(text, after) };
}

/** What is replaced as a whole may be of any size: it is not looked into, and counts as binary does. */
function isTooLarge({ byteLength }: Uint8Array, { kind }: Change): boolean {
  if (byteLength <= largestRead) return false;
  if (kind === "body") return true;
  throw new EditRefused(
    "edit.too_large",
    `It is ${byteLength} bytes; ${largestRead} can be read. Replace the whole body.`,
  );
}

export function isJson(text: string): boolean {
  try {
    parseJsonText(text);
    return true;
  } catch (error) {
    if (error instanceof JsonTextError) return false;
    throw error;
  }
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function revisedText(before: string | null, change: Exclude<Change, { kind: "body" }>, masking: Masking): string {
  if (before === null) {
    throw new EditRefused("edit.not_text", "Its body is binary, compressed or not here: replace the whole body.");
  }
  if (change.kind === "patch") return patched(before, change.steps, masking);
  const shown = maskPayload(before, masking);
  if (!isJson(before) || !isJson(shown)) return change.text;
  if (!isJson(change.text)) {
    throw new EditRefused("edit.not_json", "It was JSON and is not any more. Replace the whole body if that is meant.");
  }
  return restoreMasked({ original: before, shown, edited: change.text });
}

/** Step by step, since what a step reads must not be behind a mask: a test would guess it, a copy show it. */
function patched(before: string, steps: readonly PatchStep[], masking: Masking): string {
  return steps.reduce((text, step) => {
    const read = step.op === "test" ? step.path : "from" in step ? step.from : null;
    if (read !== null && isHidden(text, read, masking)) {
      throw new EditRefused("edit.path_masked", `What stands at ${quote(read)} is masked: a patch cannot read it.`);
    }
    return patchJson(text, [step]);
  }, before);
}

function isHidden(text: string, pointer: string, masking: Masking): boolean {
  return sourcesIn(text)(pointer) !== sourcesIn(maskPayload(text, masking))(pointer);
}

function requireNoMask(before: string, after: string): void {
  const masksIn = (text: string) => text.split(mask).length;
  if (masksIn(after) <= masksIn(before)) return;
  throw new EditRefused(
    "edit.mask_sent",
    `The mask ${mask} would be sent as it stands there. Write the value itself, or send a patch that does not touch it.`,
  );
}

function changesOf(before: string, after: string): readonly JsonChange[] | null {
  return isJson(before) && isJson(after) ? checkJsonEdit(before, after) : null;
}
