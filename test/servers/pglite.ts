import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { pgliteDatabase } from "../../src/databases/pglite.ts";
import { migrate } from "../../src/postgres.ts";
import { shared } from "./one-for-all.ts";

/** A PGlite of one's own, in memory, that has our tables: from a copy it starts in a quarter of the time. */
export async function startPglite(): Promise<PGlite> {
  const copy = await shared("pglite");
  return copy === undefined ? makePglite() : PGlite.create({ loadDataDir: new Blob([await readFile(copy.file)]) });
}

/** What others start from, in a file of that folder. */
export async function writePglite(folder: string): Promise<string> {
  const pglite = await makePglite();
  const copy = await pglite.dumpDataDir("none");
  await pglite.close();
  const file = join(folder, "pglite.tar");
  await writeFile(file, Buffer.from(await copy.arrayBuffer()));
  return file;
}

async function makePglite(): Promise<PGlite> {
  const pglite = await PGlite.create();
  await migrate({ database: pgliteDatabase(pglite) });
  return pglite;
}
