import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Node } from "oxc-parser";
import { nodesOf, parseSource, root, type Source } from "../sources.ts";

const path = "src/runtime/events.ts";

/** The events a consumer tells of, and the fields each adds to what all of them have, in the order of the source. */
export function declaredEvents(): { readonly type: string; readonly fields: readonly string[] }[] {
  const source = parseSource(path, readFileSync(join(root, path), "utf8"));
  const union = typeNamed(source, "EventBody");
  if (union?.type !== "TSUnionType") throw new Error(`${path} has no union called EventBody.`);
  return union.types.map((member) => {
    const fields = fieldsOf(source, member);
    const type = /^"(.+)"$/.exec(fields.find(({ name }) => name === "type")?.type ?? "")?.[1] ?? "";
    return { type, fields: fields.map(({ name }) => name).filter((name) => name !== "type") };
  });
}

interface Field {
  readonly name: string;
  readonly type: string;
}

function typeNamed(source: Source, name: string): Node | undefined {
  for (const { node } of nodesOf(source)) {
    if (node.type === "TSTypeAliasDeclaration" && node.id.name === name) return node.typeAnnotation;
    if (node.type === "TSInterfaceDeclaration" && node.id.name === name) return node.body;
  }
  return undefined;
}

function fieldsOf(source: Source, type: Node): Field[] {
  switch (type.type) {
    case "TSParenthesizedType":
      return fieldsOf(source, type.typeAnnotation);
    case "TSIntersectionType":
      return type.types.flatMap((part) => fieldsOf(source, part));
    case "TSTypeLiteral":
      return type.members.flatMap((member) => fieldsOf(source, member));
    case "TSInterfaceBody":
      return type.body.flatMap((member) => fieldsOf(source, member));
    case "TSTypeReference": {
      const named = type.typeName.type === "Identifier" ? typeNamed(source, type.typeName.name) : undefined;
      return named === undefined ? [] : fieldsOf(source, named);
    }
    case "TSPropertySignature": {
      const written = type.typeAnnotation?.typeAnnotation;
      const name = type.key.type === "Identifier" ? type.key.name : "";
      return [{ name, type: written === undefined ? "" : source.text.slice(written.start, written.end) }];
    }
    default:
      return [];
  }
}
