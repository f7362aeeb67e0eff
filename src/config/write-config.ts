import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { hasCode } from "../domain/has-code.ts";
import { addSource, type NewSource } from "./add-source.ts";

/** Adds a source to a file, which is made if there is none. It is replaced as a whole: a crash leaves the old one. */
export async function writeSource(path: string, source: NewSource): Promise<void> {
  const before = await readFile(path, "utf8").catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return "";
    throw error;
  });
  const text = addSource(before, source, path);
  const mode = before === "" ? 0o644 : (await stat(path)).mode;
  await writeFile(`${path}.new`, text, { mode });
  await rename(`${path}.new`, path);
}
