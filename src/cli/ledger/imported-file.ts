import { createHash } from "node:crypto";
import type { InputOf } from "../../http/client.ts";
import type { JsonDocument } from "../json-documents.ts";

type Documents = InputOf<"letters.import">["documents"];

const mostAtOnce = 500;
const mostCharacters = 8_000_000;

/** A file of letters, in parts that fit into one request each, and whether all of it came. */
export function importedFile() {
  const ordinals = new Map<string, number>();
  let exported: number | null = null;
  let said: number | null = null;

  function lineAboutFile(text: string): boolean {
    const head = /^\s*\{[^{}]*"kind"\s*:\s*"(export|end|letter)"/.exec(text)?.[1];
    if (head === "export") exported = 0;
    if (head === "letter") exported = (exported ?? 0) + 1;
    if (head === "end") said = Number(/"n"\s*:\s*(\d+)/.exec(text)?.[1]);
    return head === "export" || head === "end";
  }

  function ordinalOf(text: string): number {
    const digest = createHash("sha256").update(text).digest("base64");
    const ordinal = (ordinals.get(digest) ?? 0) + 1;
    ordinals.set(digest, ordinal);
    return ordinal;
  }

  return {
    async *parts(documents: AsyncIterable<JsonDocument>): AsyncGenerator<Documents> {
      let part: Documents = [];
      let characters = 0;
      for await (const { text, line } of documents) {
        if (lineAboutFile(text)) continue;
        if (part.length >= mostAtOnce || (part.length > 0 && characters + text.length > mostCharacters)) {
          yield part;
          [part, characters] = [[], 0];
        }
        part.push({ text, line, ordinal: ordinalOf(text) });
        characters += text.length;
      }
      if (part.length > 0) yield part;
    },
    /** An export whose last line is missing, or says another number. */
    isCut: () => exported !== null && said !== exported,
  };
}
