import { type JsonNode, type JsonObject, JsonTextError, parseJsonText, sourceOf } from "../../domain/json-text.ts";
import { EditRefused } from "./edit-refused.ts";

/** The parts of an RFC 6901 pointer; `""` is the whole document. */
export function parsePointer(pointer: string): readonly string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/"))
    throw new EditRefused("edit.path_invalid", `${quote(pointer)} does not begin with a slash.`);
  if (/~(?![01])/u.test(pointer)) {
    throw new EditRefused("edit.path_invalid", `${quote(pointer)} has a ~ that is neither ~0 nor ~1.`);
  }
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function formatPointer(parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The value at that path; refuses where it does not exist or where two members answer to one name. */
export function locate(root: JsonNode, parts: readonly string[]): JsonNode {
  return parts.reduce((node, part, depth) => {
    const child = childOf(node, part, parts.slice(0, depth + 1));
    if (child === null) throw missing(parts.slice(0, depth + 1));
    return child;
  }, root);
}

/** Gives the text of the value at a place; null where there is none. The text is parsed once, however many are asked for. */
export function sourcesIn(text: string): (pointer: string) => string | null {
  let root: JsonNode;
  try {
    root = parseJsonText(text);
  } catch (error) {
    if (error instanceof JsonTextError) return () => null;
    throw error;
  }
  return (pointer) => {
    try {
      return sourceOf(text, locate(root, parsePointer(pointer)));
    } catch (error) {
      if (error instanceof EditRefused) return null;
      throw error;
    }
  };
}

/** Null where the container could have such a child and has not. */
export function childOf(node: JsonNode, part: string, path: readonly string[]): JsonNode | null {
  if (node.kind === "object") return memberOf(node, part, path)?.value ?? null;
  if (node.kind === "array") return node.items[indexOf(part, path)] ?? null;
  throw new EditRefused(
    "edit.path_missing",
    `${quote(formatPointer(path.slice(0, -1)))} is a single value: nothing is inside it.`,
  );
}

export function memberOf(
  object: JsonObject,
  name: string,
  path: readonly string[],
): JsonObject["members"][number] | null {
  const found = object.members.filter(({ key }) => key === name);
  if (found.length > 1) {
    throw new EditRefused(
      "edit.key_repeated",
      `${quote(formatPointer(path))} stands there ${found.length} times, and which of them its consumer reads is not known. Replace the whole body instead.`,
    );
  }
  return found[0] ?? null;
}

export function indexOf(part: string, path: readonly string[]): number {
  if (/^(?:0|[1-9][0-9]*)$/u.test(part)) return Number(part);
  throw new EditRefused("edit.path_invalid", `${quote(formatPointer(path))} needs the index of a list item.`);
}

export function missing(path: readonly string[]): EditRefused {
  return new EditRefused("edit.path_missing", `There is nothing at ${quote(formatPointer(path))}.`);
}

export function quote(pointer: string): string {
  return JSON.stringify(pointer);
}
