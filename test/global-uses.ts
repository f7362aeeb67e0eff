import type { Node } from "oxc-parser";
import { importsOf, lineAt, nodesOf, type Source, type Visit } from "./sources.ts";

/** Something of the host that a file uses. */
export interface Use {
  /** `Date.now`, `new Date()`, `setTimeout`, `process.stdout.write`, and for imports `node:crypto randomUUID`. */
  readonly name: string;
  readonly line: number;
}

/**
 * What a file takes from outside by name: globals, and imports of Node's own modules. Local variables are listed as
 * well; nobody should name one after a global.
 */
export function usesOf(source: Source): readonly Use[] {
  const known = found.get(source) ?? findUses(source);
  found.set(source, known);
  return known;
}

/** Every rule asks for all of them again. */
const found = new WeakMap<Source, readonly Use[]>();

function findUses(source: Source): Use[] {
  const named = [...nodesOf(source)].flatMap((visit) => {
    const name = nameOf(visit);
    return name === undefined
      ? []
      : [{ name: name.replace(/^globalThis\./, ""), line: lineAt(source, visit.node.start) }];
  });
  return [...named, ...importsOfNode(source)];
}

function importsOfNode(source: Source): Use[] {
  return importsOf(source)
    .filter(({ from }) => from.startsWith("node:"))
    .flatMap(({ from, names, line }) =>
      names.length === 0 ? [{ name: from, line }] : names.map((name) => ({ name: `${from} ${name}`, line })),
    );
}

function nameOf({ node, ancestors: [parent] }: Visit): string | undefined {
  if (node.type === "NewExpression" && node.arguments.length === 0) return pathOf(node.callee, "new ", "()");
  if (node.type === "CallExpression" && node.arguments.length === 0) return pathOf(node.callee, "", "()");
  if (node.type !== "Identifier" && node.type !== "MemberExpression") return undefined;
  return isPartOfLongerName(node, parent) ? undefined : pathOf(node);
}

/** `a.b.c` of a chain of plain names, undefined for any other expression. */
function pathOf(node: Node, before = "", after = ""): string | undefined {
  if (node.type === "Identifier") return before + node.name + after;
  if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier") return undefined;
  return pathOf(node.object, before, `.${node.property.name}${after}`);
}

/** Keys and properties are names of their own, and `Date` in `Date.now` is reported with the whole. */
function isPartOfLongerName(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined) return false;
  if (parent.type === "MemberExpression") return parent.object === node || !parent.computed;
  if ("key" in parent && parent.key === node) return !("shorthand" in parent && parent.shorthand);
  return parent.type === "ImportSpecifier" || parent.type === "ExportSpecifier";
}
