import { isTest, type Source, sourcesUnder } from "../../test/sources.ts";
import { commentBefore } from "./doc-comments.ts";

/** The first sentence of the comment on each interface and type of the sources, by name. */
export function readTypeComments(): ReadonlyMap<string, string> {
  const sources = sourcesUnder("src").filter((source) => !isTest(source));
  return new Map(sources.flatMap(commentsOf).filter(([, comment]) => comment !== ""));
}

function commentsOf(source: Source): [name: string, comment: string][] {
  return source.program.body.flatMap((statement): [string, string][] => {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "TSInterfaceDeclaration" && declaration?.type !== "TSTypeAliasDeclaration") return [];
    return [[declaration.id.name, firstSentence(commentBefore(source, statement.start))]];
  });
}

function firstSentence(comment: string): string {
  return /^.*?[.:;](?= |$)/.exec(comment)?.[0].replace(/[:;]$/, ".") ?? comment;
}
