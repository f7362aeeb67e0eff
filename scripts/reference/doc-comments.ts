import type { Source } from "../../test/sources.ts";

/** The doc comment that ends right before `offset`, as one line. */
export function commentBefore({ comments, text }: Source, offset: number): string {
  const comment = comments.findLast(({ end }) => end <= offset && text.slice(end, offset).trim() === "");
  if (comment === undefined || !comment.value.startsWith("*")) return "";
  const lines = comment.value.slice(1).split("\n");
  return lines
    .map((line) => line.replace(/^\s*\*?\s?/, "").trim())
    .join(" ")
    .trim();
}
