import { type JsonNode, JsonTextError, parseJsonText, sourceOf } from "../../domain/json-text.ts";
import type { Change } from "./body-change.ts";
import { formatPointer, sourcesIn } from "./json-pointer.ts";

export interface WrittenTexts {
  readonly before: string;
  /** As whoever edits it saw it. */
  readonly shown: string;
  readonly after: string;
}

/**
 * Places that are masked in the text before and that a change gives a value. They count as changed whatever it is: were the
 * same value no change, whoever may not see it could guess it. Of what is no JSON it is the whole text.
 */
export function writtenMasks({ before, shown, after }: WrittenTexts, change: Change): readonly string[] {
  if (before === shown) return [];
  const masked = maskedPlaces(before, shown);
  if (masked === null) return change.kind === "patch" ? [] : [""];
  const [isWritten, afterAt] = [writerOf(shown, change), sourcesIn(after)];
  return masked.filter((place) => isWritten(place) && afterAt(place) !== null);
}

/** Tells of a place whether it is one of these, in one of them, or around one. */
export function relatedTo(places: readonly string[]): (place: string) => boolean {
  const [own, around] = [new Set(places), new Set(places.flatMap(placesUp))];
  return (place) => around.has(place) || placesUp(place).some((each) => own.has(each));
}

/** The place itself, and all that it is in. */
function placesUp(place: string): readonly string[] {
  const parts = place.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function writerOf(shown: string, change: Change): (place: string) => boolean {
  if (change.kind === "body") return () => true;
  if (change.kind === "patch") {
    const giving = change.steps.filter(({ op }) => op !== "test" && op !== "remove");
    return relatedTo(giving.map(({ path }) => path));
  }
  const [editedAt, shownAt] = [sourcesIn(change.text), sourcesIn(shown)];
  return (place) => editedAt(place) !== shownAt(place);
}

/** Null where one of the two is no JSON. */
function maskedPlaces(before: string, shown: string): readonly string[] | null {
  const places: string[] = [];
  const visit = (real: JsonNode, seen: JsonNode, path: readonly (string | number)[]): void => {
    if (sourceOf(before, real) === sourceOf(shown, seen)) return;
    const [inner, outer] = [childrenOf(real), childrenOf(seen)];
    if (inner === null || outer === null) places.push(formatPointer(path));
    else
      inner.forEach(([part, node], index) => {
        const counterpart = outer[index]?.[1];
        if (counterpart !== undefined) visit(node, counterpart, [...path, part]);
      });
  };
  try {
    visit(parseJsonText(before), parseJsonText(shown), []);
    return places;
  } catch (error) {
    if (error instanceof JsonTextError) return null;
    throw error;
  }
}

function childrenOf(node: JsonNode): readonly (readonly [string | number, JsonNode])[] | null {
  if (node.kind === "object") return node.members.map(({ key, value }) => [key, value]);
  return node.kind === "array" ? node.items.map((item, index) => [index, item]) : null;
}
