import { type JsonNode, type JsonObject, sourceOf } from "../../domain/json-text.ts";
import { formatPointer } from "./json-pointer.ts";

/** A value together with the text it stands in. */
export interface JsonSpot {
  readonly text: string;
  readonly node: JsonNode;
}

/** One place where two documents differ. Null: not there. `before` and `after` are JSON text, every digit kept. */
export interface JsonChange {
  /** RFC 6901. In a list, positions of the document before; of the one after where an item is new. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Where two documents differ in meaning: spaces, order of keys and ways to write a number or a character are none. */
export function diffJson(before: JsonSpot, after: JsonSpot): readonly JsonChange[] {
  const changes: JsonChange[] = [];
  compare(before, after, [], changes);
  return changes;
}

export function sameJson(one: JsonSpot, other: JsonSpot): boolean {
  return diffJson(one, other).length === 0;
}

type Path = readonly (string | number)[];

function compare(before: JsonSpot, after: JsonSpot, path: Path, changes: JsonChange[]): void {
  if (before.node.kind === "object" && after.node.kind === "object") {
    compareObjects(before, before.node, { spot: after, object: after.node }, path, changes);
  } else if (before.node.kind === "array" && after.node.kind === "array") {
    compareLists(spotsOf(before, before.node.items), spotsOf(after, after.node.items), path, changes);
  } else if (!sameScalar(before, after)) {
    changes.push(change(path, before, after));
  }
}

/** Of repeated keys the last counts, as it does for nearly every reader. */
function compareObjects(
  before: JsonSpot,
  object: JsonObject,
  after: { readonly spot: JsonSpot; readonly object: JsonObject },
  path: Path,
  changes: JsonChange[],
): void {
  const old = lastOf(before, object);
  const fresh = lastOf(after.spot, after.object);
  for (const [key, spot] of old) {
    const counterpart = fresh.get(key);
    if (counterpart === undefined) changes.push(change([...path, key], spot, null));
    else compare(spot, counterpart, [...path, key], changes);
  }
  for (const [key, spot] of fresh) if (!old.has(key)) changes.push(change([...path, key], null, spot));
}

function lastOf(spot: JsonSpot, object: JsonObject): ReadonlyMap<string, JsonSpot> {
  return new Map(object.members.map(({ key, value }) => [key, { text: spot.text, node: value }]));
}

/** Items equal at both ends are left out first, so one item put in front does not change all the others. */
function compareLists(
  before: readonly JsonSpot[],
  after: readonly JsonSpot[],
  path: Path,
  changes: JsonChange[],
): void {
  const head = commonLength(before, after);
  const tail = commonLength(before.slice(head).reverse(), after.slice(head).reverse());
  const old = before.slice(head, before.length - tail);
  const fresh = after.slice(head, after.length - tail);
  for (let index = 0; index < Math.max(old.length, fresh.length); index++) {
    const place = [...path, head + index];
    const [one, other] = [old[index], fresh[index]];
    if (one !== undefined && other !== undefined) compare(one, other, place, changes);
    else changes.push(change(place, one ?? null, other ?? null));
  }
}

/** By text: to compare by meaning here and again below would double the work at every level of nesting. */
function commonLength(before: readonly JsonSpot[], after: readonly JsonSpot[]): number {
  const differs = before.findIndex((spot, index) => {
    const counterpart = after[index];
    return counterpart === undefined || textOf(spot) !== textOf(counterpart);
  });
  return differs === -1 ? before.length : differs;
}

function spotsOf({ text }: JsonSpot, nodes: readonly JsonNode[]): readonly JsonSpot[] {
  return nodes.map((node) => ({ text, node }));
}

function sameScalar(one: JsonSpot, other: JsonSpot): boolean {
  if (one.node.kind !== other.node.kind) return false;
  const [left, right] = [textOf(one), textOf(other)];
  if (left === right) return true;
  if (one.node.kind === "string") return JSON.parse(left) === JSON.parse(right);
  return one.node.kind === "number" && sameNumber(left, right);
}

function change(path: Path, before: JsonSpot | null, after: JsonSpot | null): JsonChange {
  return {
    path: formatPointer(path),
    before: before === null ? null : textOf(before),
    after: after === null ? null : textOf(after),
  };
}

function textOf({ text, node }: JsonSpot): string {
  return sourceOf(text, node);
}

/** Whether two JSON numbers are the same number, not merely the same double: 1.0 is 1, and 2^53 + 1 is not 2^53. */
export function sameNumber(one: string, other: string): boolean {
  const [left, right] = [decimalOf(one), decimalOf(other)];
  return left.digits === right.digits && left.exponent === right.exponent && left.isNegative === right.isNegative;
}

interface Decimal {
  /** Without zeros at either end; empty for zero. */
  readonly digits: string;
  /** Of the last digit; a bigint, since nothing bounds an exponent written as text. */
  readonly exponent: bigint;
  readonly isNegative: boolean;
}

function decimalOf(number: string): Decimal {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/u.exec(number) ?? [];
  const all = `${whole}${fraction}`.replace(/^0+/u, "");
  let end = all.length;
  while (end > 0 && all[end - 1] === "0") end -= 1;
  if (end === 0) return { digits: "", exponent: 0n, isNegative: sign === "-" };
  const shift = BigInt(exponent.replace("+", "")) - BigInt(fraction.length) + BigInt(all.length - end);
  return { digits: all.slice(0, end), exponent: shift, isNegative: sign === "-" };
}
