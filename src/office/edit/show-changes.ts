import { parseJsonText } from "../../domain/json-text.ts";
import { maskPayload } from "../../domain/mask-json.ts";
import { type Masking, mask, maskText } from "../../domain/redaction.ts";
import { textOf } from "../../domain/text-of.ts";
import { diffJson } from "./json-diff.ts";
import { sourcesIn } from "./json-pointer.ts";
import { type DiffLine, diffLines } from "./line-diff.ts";
import { isJson, largestEdit } from "./revise.ts";
import { relatedTo } from "./written-masks.ts";

/** What an edit changes, as people may see it: by place and by line, masked. */
export interface ShownChanges {
  /** By place, where both are JSON; null elsewhere. */
  readonly changes: readonly ShownChange[] | null;
  /** How many more places there are than are listed. */
  readonly moreChanges: number;
  /** By line; null where one of the two is no text. */
  readonly lines: readonly DiffLine[] | null;
  readonly moreLines: number;
  /** What somebody should know before it is sent. */
  readonly findings: readonly string[];
}

/** A place in JSON. `before` and `after` are JSON text; null: it is not there. */
export interface ShownChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

const listedAtMost = 200;

/** Where an edit is of headers alone. */
const unchanged: ShownChanges = { changes: [], moreChanges: 0, lines: [], moreLines: 0, findings: [] };

/** `written` are places that are masked and were given a value: they are listed, be it the one that stood there or another. */
export function showChanges(
  before: Uint8Array | null,
  after: Uint8Array,
  masking: Masking,
  written: readonly string[] = [],
): ShownChanges {
  if (before !== null && written.length === 0 && Buffer.compare(before, after) === 0) return unchanged;
  const [old, fresh] = [before === null ? null : editableText(before), editableText(after)];
  const lines =
    old === null || fresh === null ? null : diffLines(maskPayload(old, masking), maskPayload(fresh, masking));
  const changes = old === null || fresh === null ? null : placesOf(old, fresh, masking, written);
  return {
    changes: changes?.slice(0, listedAtMost) ?? null,
    moreChanges: Math.max(0, (changes?.length ?? 0) - listedAtMost),
    lines: lines?.slice(0, listedAtMost).map(({ sign, text }) => ({ sign, text: text.slice(0, 2_000) })) ?? null,
    moreLines: Math.max(0, (lines?.length ?? 0) - listedAtMost),
    findings: [...sizeFindings(before, after), ...findingsOf(old, fresh, changes)],
  };
}

/** Null for what is no text, and for what is too large to be compared with anything. */
function editableText(body: Uint8Array): string | null {
  return body.byteLength > largestEdit ? null : textOf(body);
}

function sizeFindings(before: Uint8Array | null, after: Uint8Array): readonly string[] {
  const bytes = Math.max(before?.byteLength ?? 0, after.byteLength);
  return bytes <= largestEdit
    ? []
    : [`Not compared: one of the two has ${bytes} bytes, and ${largestEdit} can be shown.`];
}

function placesOf(
  before: string,
  after: string,
  masking: Masking,
  written: readonly string[],
): readonly ShownChange[] | null {
  if (!isJson(before) || !isJson(after)) return null;
  const changed = diffJson({ text: before, node: parseJsonText(before) }, { text: after, node: parseJsonText(after) });
  const [beforeAt, afterAt] = [sourcesIn(maskPayload(before, masking)), sourcesIn(maskPayload(after, masking))];
  const hidden = JSON.stringify(mask);
  const isWritten = relatedTo(written);
  const others = changed.filter(({ path }) => !isWritten(path));
  // Names are masked by what they look like, as values are.
  const shownPath = (path: string) => (masking.detectors === "none" ? path : maskText(path));
  return [
    ...written.map((path) => ({
      ...{ path: shownPath(path), before: beforeAt(path) ?? hidden, after: afterAt(path) ?? hidden },
    })),
    ...others.map(({ path, before: old, after: fresh }) => ({
      path: shownPath(path),
      before: old === null ? null : (beforeAt(path) ?? hidden),
      after: fresh === null ? null : (afterAt(path) ?? hidden),
    })),
  ];
}

function findingsOf(
  before: string | null,
  after: string | null,
  changes: readonly ShownChange[] | null,
): readonly string[] {
  if (changes !== null && changes.length === 0) return ["Only spaces, order or spelling changed, not what it says."];
  if (before !== null && isJson(before) && (after === null || !isJson(after)))
    return ["It was JSON and is not any more."];
  return [];
}
