import { readFile, rename, writeFile } from "node:fs/promises";
import { OfficeError } from "../../domain/errors.ts";
import { hasCode } from "../../domain/has-code.ts";

/** An end of the audit log that was proven once. */
export interface Anchor {
  readonly n: number;
  readonly hash: string;
}

/** Null where there is no such file yet. A file that is something else is refused, never written over. */
export async function readAnchor(file: string): Promise<Anchor | null> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  });
  if (text === null) return null;
  const [, n, hash] = /^dlo audit (\d+) ([\da-f]{64})\s*$/.exec(text) ?? [];
  if (n === undefined || hash === undefined)
    throw new OfficeError(
      "INVALID_FILE",
      `${file} is no anchor: it should read "dlo audit NUMBER HASH". Give another file.`,
    );
  return { n: Number(n), hash };
}

export async function writeAnchor(file: string, { n, hash }: Anchor): Promise<void> {
  await writeFile(`${file}.new`, `dlo audit ${n} ${hash}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
