import { createHash } from "node:crypto";
import { parseJsonOrThrow } from "../../dialects/json.ts";
import { readNotation } from "../../dialects/notation/read-notation.ts";
import type { Actor } from "../../domain/actor.ts";
import { holdBatch } from "../intake/hold-batch.ts";
import { type FoundLetter, type ReadingRoom, readLetters } from "../intake/read-letters.ts";
import type { Office } from "../operations/operation.ts";
import { readExportedLine } from "./exported-letter.ts";

/** A document of the file, and the line it begins on. */
export interface ImportedDocument {
  readonly text: string;
  readonly line: number;
}

export interface ImportResult {
  readonly held: number;
  /** Letters the ledger had already. */
  readonly known: number;
  readonly problems: readonly { readonly line: number; readonly message: string }[];
  /** The file is an export of ours, and its last line is missing or says another number. */
  readonly isCut: boolean;
}

export interface ImportParts {
  readonly office: Office;
  readonly room: ReadingRoom;
  readonly actor: Actor;
  /** The name of the connection that they are said to come by, where their lines do not say. */
  readonly source: string;
  readonly onProgress?: (held: number, known: number) => void;
}

const batchSize = 500;

/** Holds the letters of a file. A line that is none is reported with its number; the others go on. */
export async function importLetters(
  parts: ImportParts,
  documents: AsyncIterable<ImportedDocument>,
): Promise<ImportResult> {
  return new Import(parts).run(documents);
}

class Import {
  readonly #parts: ImportParts;
  readonly #problems: { readonly line: number; readonly message: string }[] = [];
  /** How often each line has come: equal lines are different letters. */
  readonly #ordinals = new Map<string, number>();
  #batch: FoundLetter[] = [];
  #held = 0;
  #known = 0;
  #exported: number | null = null;
  #said: number | null = null;

  constructor(parts: ImportParts) {
    this.#parts = parts;
  }

  async run(documents: AsyncIterable<ImportedDocument>): Promise<ImportResult> {
    for await (const document of documents) {
      this.#take(document);
      if (this.#batch.length >= batchSize) await this.#flush();
    }
    await this.#flush();
    const isCut = this.#exported !== null && this.#said !== this.#exported;
    return { held: this.#held, known: this.#known, problems: this.#problems, isCut };
  }

  #take({ text, line }: ImportedDocument): void {
    try {
      const found = this.#read(text);
      if (found !== null) this.#batch.push(found);
    } catch (error) {
      this.#problems.push({ line, message: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Null for lines that are about the file and no letters. */
  #read(text: string): FoundLetter | null {
    const head = /^\s*\{[^{}]*"kind"\s*:\s*"(export|end|letter)"/.exec(text)?.[1];
    if (head === "export") {
      this.#exported = 0;
      return null;
    }
    if (head === "end") {
      this.#said = Number((JSON.parse(text) as { readonly n?: unknown }).n);
      return null;
    }
    const exported = head === "letter" ? readExportedLine(JSON.parse(text)) : undefined;
    if (exported === undefined) return this.#noted(text);
    this.#exported = (this.#exported ?? 0) + 1;
    const { letter, source, key, missingBodyBytes } = exported;
    const found = { kind: "key", key: key ?? this.#lineKey(text) } as const;
    return missingBodyBytes === null ? { letter, source, found } : { letter, source, found, missingBodyBytes };
  }

  #noted(text: string): FoundLetter {
    const { letter } = readNotation(parseJsonOrThrow(text));
    return { letter, source: this.#parts.source, found: { kind: "key", key: this.#lineKey(text) } };
  }

  #lineKey(text: string): Uint8Array {
    const digest = createHash("sha256").update(text).digest("hex");
    const ordinal = (this.#ordinals.get(digest) ?? 0) + 1;
    this.#ordinals.set(digest, ordinal);
    return createHash("sha256").update(`line ${digest} ${ordinal}`).digest();
  }

  async #flush(): Promise<void> {
    const { office, room, actor, onProgress } = this.#parts;
    const letters = await readLetters(room, this.#batch.splice(0), office.clock);
    const outcomes = await holdBatch(office.ledger, {
      letters,
      actor,
      now: office.clock.now(),
      by: "import",
      session: null,
    });
    const held = outcomes.filter((outcome) => outcome === "new").length;
    this.#held += held;
    this.#known += outcomes.length - held;
    onProgress?.(this.#held, this.#known);
  }
}
