import { statfsSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { loadClient } from "../domain/client-library.ts";
import { OfficeError } from "../domain/errors.ts";
import { lockFolder } from "../system/folder-lock.ts";
import type { OpenPg } from "./open-pg.ts";
import { pgliteDatabase } from "./pglite.ts";
import { type Disk, sparingDisk } from "./spare-disk.ts";

export interface OpenPglite extends OpenPg {
  /** Tells whoever finds the folder taken where the office is that has it. */
  announce(url: string): void;
}

/** Opens the PGlite in a folder, and makes one where there is none. It is this process's alone until it is closed. */
export async function openPglite(
  folder: string,
  { free = () => freeOn(folder) }: Partial<Disk> = {},
): Promise<OpenPglite> {
  const { PGlite } = await loadClient(
    "The embedded ledger",
    "@electric-sql/pglite",
    () => import("@electric-sql/pglite"),
  );
  // PGlite itself would let a second process in, and lose what one of them writes.
  const lock = await lockFolder(folder);
  try {
    const pglite = await PGlite.create(await ownFolder(join(folder, "ledger")));
    return {
      database: sparingDisk(pgliteDatabase(pglite), { folder, free }),
      announce: lock.announce,
      async close() {
        await pglite.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw unreadable(folder, error);
  }
}

/** In bytes. Before each statement, so it must not take a turn of the event loop: it takes microseconds. */
function freeOn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** PGlite does not say what it stumbled over: a full disk, another version's files, files copied while they were written. */
function unreadable(folder: string, cause: unknown): OfficeError {
  const why = cause instanceof Error ? cause.message : "a file in it could not be written";
  return new OfficeError(
    "STORE_UNAVAILABLE",
    `The embedded ledger in ${folder} cannot be opened: ${why}. ${Math.floor(freeOn(folder) / 2 ** 20)} MB are free on its disk.`,
    {
      cause,
      details: {
        hint: "It may be damaged, or another version's. Restore a backup into another folder: DLO_DATA=FOLDER dlo restore FILE.",
      },
    },
  );
}

/** PGlite lets everybody read and write its files, whatever the umask: nobody else may come to them. */
async function ownFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  // On a volume that belongs to somebody else this is refused: then whoever mounted it has decided who comes to it.
  await chmod(path, 0o700).catch(() => {});
  return path;
}
