import { createHash } from "node:crypto";
import { z } from "zod";
import { OfficeError } from "../../domain/errors.ts";

// No database takes a NUL within a text.
const name = z.string().regex(/^[^\0]*$/);
const number = z.int().min(0);
/** Milliseconds since 1970 that a date can be. */
const time = z.number().min(0).max(8.64e15);
const digits = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`));

const releasePosition = z.object({
  notedAt: time,
  source: name,
  queue: name,
  /** SHA-256 of the key, in hexadecimal digits. */
  lane: digits(64),
  number,
});

const silentSources = z.object({
  sources: z.array(name),
  /** The configuration doesn't say where their stores are; else they did not answer. */
  isUnsaid: z.boolean(),
  /** The letter, in hexadecimal digits, and the number of the last place shown. */
  last: z.object({ letter: digits(32), number }).nullable(),
});

const keysCursor = z.object({
  /** When the first page was read, in milliseconds since 1970, by the clock of the ledger's database. */
  begunAt: time,
  /** By source: the number of the last key shown of its store. All its queues share one sequence. */
  numbers: z.array(z.tuple([name, number])),
  /** The last release shown. */
  release: releasePosition.nullable(),
  /** Sources whose letters are shown, for their stores could not be asked. They stay so: a store would list the same keys again. */
  silent: z.array(silentSources),
});

/** Where a page of blocked keys ended: a position in each list that it was merged from. */
export type KeysCursor = Readonly<z.infer<typeof keysCursor>>;
export type SilentGroup = Readonly<z.infer<typeof silentSources>>;

/** What a cursor belongs to. */
export interface KeysOf {
  readonly source: string | null;
  readonly queue: string | null;
}

/** For `after`: bound to what was asked for, so that a page of another list can't be asked for by mistake. */
export function pageBehind(cursor: KeysCursor, of: KeysOf): string {
  return Buffer.from(JSON.stringify([nameOf(of), cursor])).toString("base64url");
}

/** Refuses what no page of these keys gave. */
export function readCursor(after: string, of: KeysOf): KeysCursor {
  const read = z.tuple([z.literal(nameOf(of)), keysCursor]).safeParse(parsed(after));
  if (read.success) return read.data[1];
  throw new OfficeError(
    "PAGE_MISMATCH",
    "This page belongs to another source, queue or list. Start from the first page again.",
  );
}

function parsed(after: string): unknown {
  try {
    return JSON.parse(Buffer.from(after, "base64url").toString());
  } catch {
    // Not JSON: no page gave it.
    return null;
  }
}

function nameOf({ source, queue }: KeysOf): string {
  return createHash("sha256")
    .update(JSON.stringify(["keys", source, queue]))
    .digest("base64url")
    .slice(0, 12);
}
