import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../domain/clock.ts";
import type { KnownValue } from "../../domain/query/complete-search.ts";
import { cacheFolder } from "../connection/user-files.ts";
import type { Environment } from "../terminal/terminal.ts";

/** Somebody who presses Tab twice asks the same again. */
const keptForMs = 30_000;

interface Kept {
  /** A digest of all that the answer depends on. */
  readonly of: string;
  readonly at: number;
  readonly values: readonly KnownValue[];
}

/** One kind of thing, and everything that decides which there are. */
export interface Question {
  readonly kind: string;
  readonly asked: unknown;
}

/** What was found a moment ago for the same question, else what `find` finds now. */
export async function remembered(
  { kind, asked }: Question,
  { env, clock }: { readonly env: Environment; readonly clock: Clock },
  find: () => Promise<readonly KnownValue[]>,
): Promise<readonly KnownValue[]> {
  const folder = join(cacheFolder(env), "completion");
  const file = join(folder, `${kind.replaceAll(/\W/g, "-")}.json`);
  const of = createHash("sha256").update(JSON.stringify(asked)).digest("hex");
  const kept = await readKept(file);
  if (kept !== null && kept.of === of && Math.abs(clock.now() - kept.at) < keptForMs) return kept.values;
  const values = await find();
  await keep(folder, file, { of, at: clock.now(), values });
  return values;
}

/** For its owner alone: errors of messages are nobody else's to read. */
async function keep(folder: string, file: string, kept: Kept): Promise<void> {
  const written = `${file}.${process.pid}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(written, JSON.stringify(kept), { mode: 0o600 });
  await rename(written, file);
}

async function readKept(file: string): Promise<Kept | null> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Kept;
  } catch {
    return null;
  }
}
