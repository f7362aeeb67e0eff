import { statfs } from "node:fs/promises";
import type { Database } from "../domain/database.ts";
import type { OpenPg } from "./open-pg.ts";
import { openServer, patiently, placeOf } from "./open-server.ts";

export interface OpenedDatabase extends OpenPg {
  /** Where it is, in words. */
  readonly place: string;
  /** In this process. */
  readonly isEmbedded: boolean;
  readonly announce?: (url: string) => void;
  /** Where it is, if that is on this machine. */
  freeBytes(): Promise<number | null>;
  /** Does something with it that may take longer than a statement otherwise may. */
  patiently<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
}

/** The PostgreSQL with that address; where there is none, the embedded one of the folder. */
export async function openDatabase(url: string | null, folder: string): Promise<OpenedDatabase> {
  if (url === null) {
    const { openPglite } = await import("./open-pglite.ts");
    const opened = await openPglite(folder);
    return {
      ...opened,
      place: folder,
      isEmbedded: true,
      patiently: (work) => work(opened.database),
      freeBytes: () => freeIn(folder),
    };
  }
  const opened = await openServer(url);
  return {
    ...opened,
    place: placeOf(url),
    isEmbedded: false,
    patiently: (work) => patiently(url, work),
    freeBytes: async () => null,
  };
}

async function freeIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
