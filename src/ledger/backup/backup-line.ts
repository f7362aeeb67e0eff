import { OfficeError } from "../../domain/errors.ts";
import { hexOf } from "../../domain/ids.ts";
import { sha256Of } from "../sha256.ts";
import { rowStart } from "./write-backup.ts";

/** A line of a backup, checked: a file that somebody gave us is no better than its word. */
export type BackupLine =
  | { readonly kind: "backup"; readonly at: string; readonly weeks: readonly number[] }
  | { readonly kind: "table"; readonly table: string; readonly columns: readonly string[] }
  /** As the database wrote it. */
  | { readonly kind: "row"; readonly json: string }
  | { readonly kind: "body"; readonly sha256: string; readonly body: Uint8Array }
  | { readonly kind: "end"; readonly lines: number };

const version = 1;
/** Letters of more years than this no ledger has; each week makes tables. */
const mostWeeks = 1_000;

export function backupLine(text: string): BackupLine {
  // Parsed, long numbers would lose their last digits.
  if (text.startsWith(rowStart) && text.endsWith("}")) return { kind: "row", json: text.slice(rowStart.length, -1) };
  const line = parsed(text);
  const { kind, table, columns, lines } = line;
  if (kind === "backup") return head(line);
  if (kind === "table" && typeof table === "string" && isTexts(columns)) return { kind, table, columns };
  if (kind === "body") return bodyLine(line);
  if (kind === "end" && typeof lines === "number") return { kind, lines };
  throw noBackup();
}

type Parsed = Readonly<Record<string, unknown>>;

function parsed(text: string): Parsed {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line === "object" && line !== null) return line as Parsed;
  } catch {
    // No JSON at all.
  }
  throw noBackup();
}

function head({ v, at, weeks }: Parsed): BackupLine {
  if (v !== version) throw otherVersion();
  if (typeof at !== "string" || Number.isNaN(Date.parse(at)) || !isTexts(weeks)) throw noBackup();
  const moments = weeks.map((week) => Date.parse(week));
  if (moments.length > mostWeeks || moments.some(Number.isNaN)) throw noBackup();
  return { kind: "backup", at, weeks: moments };
}

/** Its hash is where it will be kept, and what letters find it by: of other bytes, or of none, it leads elsewhere. */
function bodyLine({ sha256: said, base64 }: Parsed): BackupLine {
  if (typeof base64 !== "string") throw noBackup();
  const body = Buffer.from(base64, "base64");
  const digest = hexOf(sha256Of(body));
  if (said !== digest)
    throw new OfficeError(
      "INVALID_FILE",
      "A large body in the backup is not the one it says it is. Nothing was restored.",
    );
  return { kind: "body", sha256: digest, body };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

export function noBackup(): OfficeError {
  return new OfficeError(
    "INVALID_FILE",
    "This is no backup of a ledger, or was damaged. `dlo backup FILE` writes one. Nothing was restored.",
  );
}

function otherVersion(): OfficeError {
  return new OfficeError(
    "SCHEMA_MISMATCH",
    "The backup was written by a version that writes them otherwise. Restore it with that one, or a newer one.",
  );
}
