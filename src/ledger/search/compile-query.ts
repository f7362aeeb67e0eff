import type { BareText, Query } from "../../domain/query/query.ts";
import type { CompileContext } from "./compile-context.ts";
import { compileTerm } from "./compile-term.ts";
import { matchesKey, matchesWords } from "./match-words.ts";

/** A search as a condition on `letters l`. Values never stand in the text of it. */
export function compileQuery(query: Query, context: Omit<CompileContext, "isBounded">): string {
  return compile(query, { ...context, isBounded: isBoundedBy(query, bounds) });
}

function compile(query: Query, context: CompileContext): string {
  switch (query.kind) {
    case "all":
      return "true";
    case "and":
    case "or":
      return `(${query.parts.map((part) => compile(part, context)).join(` ${query.kind} `)})`;
    case "not":
      // What is unknown is not what was asked for: a letter without a type is not of type X.
      return `(${compile(query.part, context)}) is not true`;
    case "text":
      return compileText(query, context);
    case "term":
      return compileTerm(query, context);
  }
}

function compileText({ value }: BareText, context: CompileContext): string {
  const words = matchesWords(value, "any", context);
  return `(${words} or ${matchesKey(value.text, context)})`;
}

/** Fields that say which letters are looked at, so that slow looks are bounded. */
export const bounds: ReadonlySet<string> = new Set(["queue", "group", "id", "arrived", "meanwhile"]);

/** Whether one of these fields narrows it down, whatever else it says. */
export function isBoundedBy(query: Query, fields: ReadonlySet<string>): boolean {
  if (query.kind === "and") return query.parts.some((part) => isBoundedBy(part, fields));
  if (query.kind === "or") return query.parts.every((part) => isBoundedBy(part, fields));
  return query.kind === "term" && fields.has(query.field);
}
