import { join } from "node:path";
import { OfficeError } from "../domain/errors.ts";
import { lockFolder } from "./folder-lock.ts";
import type { OpenPg } from "./open-pg.ts";
import { pgliteDatabase } from "./pglite.ts";

/** Opens the PGlite in a folder, and makes one where there is none. It is this process's alone until it is closed. */
export async function openPglite(folder: string): Promise<OpenPg> {
  const { PGlite } = await import("@electric-sql/pglite").catch((error: unknown) => {
    const message = "The embedded ledger needs the package @electric-sql/pglite: npm install @electric-sql/pglite";
    throw new OfficeError("MISSING_CLIENT_LIBRARY", message, { cause: error });
  });
  // PGlite itself would let a second process in, and lose what one of them writes.
  const unlock = await lockFolder(folder);
  try {
    const pglite = await PGlite.create(join(folder, "ledger"));
    return {
      database: pgliteDatabase(pglite),
      async close() {
        await pglite.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}
