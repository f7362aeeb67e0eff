import {
  type JsonArray,
  type JsonNode,
  type JsonObject,
  JsonTextError,
  parseJsonText,
  sourceOf,
} from "../../domain/json-text.ts";
import { EditRefused } from "./edit-refused.ts";
import { sameJson } from "./json-diff.ts";
import { childOf, formatPointer, indexOf, locate, memberOf, missing, parsePointer, quote } from "./json-pointer.ts";

/** One step of a JSON Patch (RFC 6902). `value` is JSON text, so that a number keeps every digit it was given. */
export type PatchStep =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: string }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly path: string; readonly from: string };

/** Reads a JSON Patch document without rounding the values in it. */
export function parsePatch(document: string): readonly PatchStep[] {
  const root = parseOrRefuse(document, "edit.patch_invalid");
  if (root.kind !== "array") throw new EditRefused("edit.patch_invalid", "A JSON Patch is a list of steps.");
  return root.items.map((item, index) => readStep(document, item, index));
}

/** Applies the steps in order, or none of them. What no step names keeps its bytes. */
export function patchJson(text: string, steps: readonly PatchStep[]): string {
  return steps.reduce(applyStep, text);
}

function applyStep(text: string, step: PatchStep): string {
  const root = parseOrRefuse(text, "edit.not_json");
  const path = parsePointer(step.path);
  switch (step.op) {
    case "add":
      return add(text, root, path, step.value);
    case "replace":
      return replace(text, locate(root, path), step.value);
    case "remove":
      return remove(text, root, path);
    case "test":
      return test(text, locate(root, path), step);
    case "copy":
      return add(text, root, path, sourceOf(text, locate(root, parsePointer(step.from))));
    case "move":
      return move(text, root, { from: parsePointer(step.from), to: path });
  }
}

function move(text: string, root: JsonNode, { from, to }: { from: readonly string[]; to: readonly string[] }): string {
  if (from.length < to.length && from.every((part, index) => part === to[index])) {
    throw new EditRefused("edit.path_invalid", `${quote(formatPointer(from))} cannot be moved into itself.`);
  }
  const moved = sourceOf(text, locate(root, from));
  const without = remove(text, root, from);
  return add(without, parseJsonText(without), to, moved);
}

function add(text: string, root: JsonNode, path: readonly string[], value: string): string {
  const name = path.at(-1);
  if (name === undefined) return replace(text, root, value);
  const parent = locate(root, path.slice(0, -1));
  if (parent.kind === "object") {
    const member = memberOf(parent, name, path);
    return member === null ? addMember(text, parent, name, value) : replace(text, member.value, value);
  }
  if (parent.kind === "array") return addItem(text, parent, { path, name, value });
  // Refuses with the reason: nothing is inside a single value.
  childOf(parent, name, path);
  return text;
}

function addMember(text: string, object: JsonObject, name: string, value: string): string {
  const last = object.members.at(-1);
  const first = object.members[0];
  if (last === undefined || first === undefined)
    return splice(text, object.start + 1, object.start + 1, `${JSON.stringify(name)}:${value}`);
  // As the text does it elsewhere: the same line break and indent before a member, the same space behind a colon.
  const before = text.slice(object.start + 1, first.start);
  const behindKey = text.slice(first.start + JSON.stringify(first.key).length, first.value.start);
  const colon = /^\s*:\s*$/u.test(behindKey) ? behindKey : ":";
  const between = object.members.length > 1 ? separatorOf(text, object) : before;
  return splice(text, last.value.end, last.value.end, `,${between}${JSON.stringify(name)}${colon}${value}`);
}

/** What stands between the comma behind the first member and the second. */
function separatorOf(text: string, { members: [first, second] }: JsonObject): string {
  if (first === undefined || second === undefined) return "";
  return text.slice(first.value.end, second.start).replace(/^\s*,/u, "");
}

function addItem(
  text: string,
  array: JsonArray,
  { path, name, value }: { path: readonly string[]; name: string; value: string },
): string {
  const index = name === "-" ? array.items.length : indexOf(name, path);
  if (index > array.items.length) throw missing(path);
  const next = array.items[index];
  if (next !== undefined) return splice(text, next.start, next.start, `${value},${gapOf(text, array)}`);
  const last = array.items.at(-1);
  if (last === undefined) return splice(text, array.start + 1, array.start + 1, value);
  return splice(text, last.end, last.end, `,${gapOf(text, array)}${value}`);
}

/** The space the list puts before its items. */
function gapOf(text: string, { start, items: [first, second] }: JsonArray): string {
  if (first === undefined) return "";
  return second === undefined
    ? text.slice(start + 1, first.start)
    : text.slice(first.end, second.start).replace(/^\s*,/u, "");
}

function remove(text: string, root: JsonNode, path: readonly string[]): string {
  const name = path.at(-1);
  if (name === undefined)
    throw new EditRefused("edit.path_invalid", "The whole document cannot be removed: replace it.");
  const parent = locate(root, path.slice(0, -1));
  const child = childOf(parent, name, path);
  if (child === null) throw missing(path);
  const entries =
    parent.kind === "object"
      ? parent.members.map(({ start, value }) => ({ start, end: value.end }))
      : childSpans(parent);
  const index = entries.findIndex(({ end }) => end === child.end);
  return removeEntry(text, entries, index);
}

function childSpans(parent: JsonNode): readonly { start: number; end: number }[] {
  return parent.kind === "array" ? parent.items : [];
}

/** Takes one comma along: the one behind the entry, or for the last one the one before it. */
function removeEntry(text: string, entries: readonly { start: number; end: number }[], index: number): string {
  const entry = entries[index];
  if (entry === undefined) return text;
  const next = entries[index + 1];
  if (next !== undefined) return splice(text, entry.start, next.start, "");
  return splice(text, entries[index - 1]?.end ?? entry.start, entry.end, "");
}

function test(text: string, found: JsonNode, { path, value }: { path: string; value: string }): string {
  const expected = { text: value, node: parseJsonText(value) };
  if (sameJson({ text, node: found }, expected)) return text;
  throw new EditRefused("edit.test_failed", `The value at ${quote(path)} is not the one the patch tests for.`);
}

function replace(text: string, { start, end }: JsonNode, value: string): string {
  return splice(text, start, end, value);
}

function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end);
}

const operations = ["add", "remove", "replace", "move", "copy", "test"] as const;

function readStep(document: string, item: JsonNode, index: number): PatchStep {
  const refuse = (message: string) => new EditRefused("edit.patch_invalid", `Step ${index + 1} ${message}.`);
  if (item.kind !== "object") throw refuse("is not an object");
  const field = (name: string) => memberOf(item, name, [String(index), name])?.value;
  const textField = (name: string): string => {
    const node = field(name);
    if (node?.kind !== "string") throw refuse(`needs ${quote(name)} as text`);
    return JSON.parse(sourceOf(document, node)) as string;
  };
  const op = operations.find((name) => name === textField("op"));
  if (op === undefined) throw refuse(`needs an "op" of ${operations.join(", ")}`);
  const path = textField("path");
  if (op === "remove") return { op, path };
  if (op === "move" || op === "copy") return { op, path, from: textField("from") };
  const value = field("value");
  if (value === undefined) throw refuse('needs a "value"');
  return { op, path, value: sourceOf(document, value) };
}

function parseOrRefuse(text: string, code: "edit.not_json" | "edit.patch_invalid"): JsonNode {
  try {
    return parseJsonText(text);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new EditRefused(code, `It is not JSON: ${error.message}.`);
  }
}
