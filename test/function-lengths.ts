import type { Node } from "oxc-parser";
import { lineAt, nodesOf, type Source, type Visit } from "./sources.ts";

/** A file or a function, and how long it is. */
export interface Measured {
  readonly what: string;
  readonly lines: number;
}

type FunctionNode = Extract<Node, { type: "FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression" }>;

/**
 * The functions of a file, with their lengths from first to last line.
 *
 * A group of tests is not a function but a chapter: it is not listed, and what it holds does not count towards the
 * function around it. A test is one. Inline arrows of a single line are part of the expression they stand in.
 */
export function functionsOf(source: Source): Measured[] {
  const functions = [...nodesOf(source)].flatMap((visit) =>
    isFunction(visit.node) ? [{ ...visit, node: visit.node }] : [],
  );
  const tests = functions.filter((visit) => testCallOf(visit) !== undefined).map(({ node }) => node);
  return functions
    .filter((visit) => testCallOf(visit) !== "describe" && !isInline(source, visit.node))
    .map((visit) => ({ what: `${source.path} ${nameOf(source, visit)}`, lines: ownLines(source, visit.node, tests) }));
}

function isFunction(node: Node): node is FunctionNode {
  const { type } = node;
  if (type === "ArrowFunctionExpression") return true;
  return (type === "FunctionDeclaration" || type === "FunctionExpression") && node.body !== null;
}

function isInline(source: Source, node: FunctionNode): boolean {
  return node.type === "ArrowFunctionExpression" && linesOf(source, node) === 1;
}

/** The function's lines but for those inside tests it declares. */
function ownLines(source: Source, node: FunctionNode, tests: readonly FunctionNode[]): number {
  const declared = tests.filter((test) => isInside(test, node));
  const outermost = declared.filter((test) => !declared.some((other) => isInside(test, other)));
  const elsewhere = outermost.map((test) => Math.max(0, linesOf(source, test) - 2));
  return elsewhere.reduce((rest, lines) => rest - lines, linesOf(source, node));
}

function isInside(inner: Node, outer: Node): boolean {
  return inner !== outer && inner.start >= outer.start && inner.end <= outer.end;
}

function linesOf(source: Source, { start, end }: Node): number {
  return source.text.slice(start, end).split("\n").length;
}

/** What a callback is to vitest, if it is a callback of vitest: `describe.each(…)("…", callback)` is a "describe". */
function testCallOf({ node, ancestors }: Visit): "describe" | "it" | undefined {
  const [parent] = ancestors;
  if (parent?.type !== "CallExpression" || parent.callee === node) return undefined;
  const called = rootName(parent.callee);
  if (called === "describe") return "describe";
  return called === "it" || called === "test" ? "it" : undefined;
}

function rootName(callee: Node): string | undefined {
  if (callee.type === "Identifier") return callee.name;
  if (callee.type === "CallExpression") return rootName(callee.callee);
  if (callee.type === "MemberExpression") return rootName(callee.object);
  if (callee.type === "TaggedTemplateExpression") return rootName(callee.tag);
  return undefined;
}

/** The name it was given, for a test its title, or else the line it starts on. */
function nameOf(source: Source, { node, ancestors: [parent] }: Visit): string {
  const named = [node, parent].flatMap((holder) => (holder === undefined ? [] : nameNodes(holder)));
  const [name] = named.map(({ start, end }) => source.text.slice(start, end));
  return name ?? `at line ${lineAt(source, node.start)}`;
}

function nameNodes(holder: Node): Node[] {
  if ("id" in holder && holder.id) return [holder.id];
  if (holder.type === "CallExpression") return holder.arguments.slice(0, 1).filter(({ type }) => type === "Literal");
  return "key" in holder && typeof holder.key === "object" ? [holder.key] : [];
}
