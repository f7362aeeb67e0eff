import { createHash } from "node:crypto";
import { member, parseJsonOrThrow } from "../../dialects/json.ts";
import { readNotation } from "../../dialects/notation/read-notation.ts";
import type { Actor } from "../../domain/actor.ts";
import { holdBatch } from "../intake/hold-batch.ts";
import { type FoundLetter, readLetters } from "../intake/read-letters.ts";
import type { Office } from "../operations/operation.ts";
import { readExportedLine } from "./exported-letter.ts";

/** A document of a file, one of those that are letters. */
export interface ImportedDocument {
  readonly text: string;
  /** The line it begins on. */
  readonly line: number;
  /** The how-manieth of its text in that file, from 1: equal lines are different letters. */
  readonly ordinal: number;
}

export interface ImportResult {
  readonly held: number;
  /** Letters the ledger had already. */
  readonly known: number;
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

export interface ImportRequest {
  /** The name of the connection that they are said to come by, where their lines do not say. */
  readonly source: string;
  readonly documents: readonly ImportedDocument[];
}

/** Holds the letters of a part of a file. A line that is none is reported with its number; the others go on. */
export async function importLetters(
  { ledger, clock, room }: Pick<Office, "ledger" | "clock" | "room">,
  actor: Actor,
  { source, documents }: ImportRequest,
): Promise<ImportResult> {
  const problems: { readonly line: number; readonly message: string }[] = [];
  const found: FoundLetter[] = [];
  for (const document of documents) {
    const read = tryToRead(document, source);
    if ("message" in read) problems.push(read);
    else found.push(read);
  }
  const letters = await readLetters(room, found, clock);
  const outcomes = await holdBatch(ledger, { letters, actor, now: clock.now(), by: "import", session: null });
  const held = outcomes.filter((outcome) => outcome === "new").length;
  return { held, known: outcomes.length - held, problems };
}

function tryToRead(document: ImportedDocument, source: string): FoundLetter | ImportResult["problems"][number] {
  try {
    return readDocument(document, source);
  } catch (error) {
    return { line: document.line, message: error instanceof Error ? error.message : String(error) };
  }
}

function readDocument({ text, ordinal }: ImportedDocument, source: string): FoundLetter {
  const json = parseJsonOrThrow(text);
  const exported = member(json, "kind") === "letter" ? readExportedLine(json) : undefined;
  if (exported === undefined)
    return { letter: readNotation(json).letter, source, found: { kind: "key", key: lineKey(text, ordinal) } };
  const { letter, source: by, key, missingBodyBytes } = exported;
  const found = { kind: "key", key: key ?? lineKey(text, ordinal) } as const;
  return missingBodyBytes === null ? { letter, source: by, found } : { letter, source: by, found, missingBodyBytes };
}

function lineKey(text: string, ordinal: number): Uint8Array {
  const digest = createHash("sha256").update(text).digest("hex");
  return createHash("sha256").update(`line ${digest} ${ordinal}`).digest();
}
