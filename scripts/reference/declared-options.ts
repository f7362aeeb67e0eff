import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Node, TSMethodSignature, TSPropertySignature } from "oxc-parser";
import { nodesOf, parseSource, root, type Source } from "../../test/sources.ts";
import { commentBefore } from "./doc-comments.ts";

/** One option, as its declaration and the comment above it describe it. */
export interface DeclaredOption {
  readonly name: string;
  readonly isRequired: boolean;
  /** As written in the source. */
  readonly type: string;
  /** The comment, on one line, without its `@default`. */
  readonly about: string;
  /** What `@default` says; undefined where it is not said. */
  readonly default: string | undefined;
}

/** The members of an interface, or of the object a type alias adds to another type, in the order of the source. */
export function declaredOptions(path: string, type: string): DeclaredOption[] {
  const source = parseSource(path, readFileSync(join(root, path), "utf8"));
  const members = membersOf(source, type);
  if (members.length === 0) throw new Error(`${path} declares no options under the name ${type}.`);
  return members.map((member) => describeMember(source, member));
}

type Member = TSPropertySignature | TSMethodSignature;

function membersOf(source: Source, type: string): Member[] {
  for (const { node } of nodesOf(source)) {
    if (node.type === "TSInterfaceDeclaration" && node.id.name === type) return node.body.body.filter(isMember);
    if (node.type === "TSTypeAliasDeclaration" && node.id.name === type) return literalMembers(node.typeAnnotation);
  }
  return [];
}

function literalMembers(type: Node): Member[] {
  if (type.type === "TSTypeLiteral") return type.members.filter(isMember);
  return type.type === "TSIntersectionType" ? type.types.flatMap(literalMembers) : [];
}

function isMember(node: Node): node is Member {
  return node.type === "TSPropertySignature" || node.type === "TSMethodSignature";
}

function describeMember(source: Source, member: Member): DeclaredOption {
  const [about = "", fallback] = commentBefore(source, member.start).split(/\s*@default\s+/);
  return {
    name: member.key.type === "Identifier" ? member.key.name : "",
    isRequired: !member.optional,
    type: typeText(source, member),
    about,
    default: fallback,
  };
}

function typeText({ text }: Source, member: Member): string {
  if (member.type === "TSMethodSignature") return "function";
  const annotation = member.typeAnnotation?.typeAnnotation;
  return annotation === undefined ? "" : text.slice(annotation.start, annotation.end).replace(/\s+/g, " ");
}
