import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { type Json, parseJsonOrThrow } from "../../src/dialects/json.ts";
import { root } from "../sources.ts";
import type { ForeignLetter } from "./score.ts";

const fixtures = join(root, "test/fixtures");

/** One letter of every dialect, with what must be read from it. */
export interface Fixture {
  readonly id: string;
  readonly fixture: Json;
  readonly facts: Json;
}

export function everyDialect(): readonly Fixture[] {
  return linesOf<Fixture>(readFileSync(join(fixtures, "dialects.jsonl"), "utf8"));
}

/** Letters that libraries of others made on real brokers, with what their makers logged. */
export function foreignLetters(): readonly ForeignLetter[] {
  return linesOf<ForeignLetter>(
    brotliDecompressSync(readFileSync(join(fixtures, "foreign-letters.jsonl.br"))).toString(),
  );
}

function linesOf<Line>(text: string): Line[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => parseJsonOrThrow(line) as Line);
}
