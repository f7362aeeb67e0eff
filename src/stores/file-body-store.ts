import { mkdir, open, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { type BodyStore, forgottenAfterMs } from "../domain/body-store.ts";
import type { Clock, NewId } from "../domain/clock.ts";

export interface FileBodyStoreOptions {
  /** Made if it is not there, for its owner alone. */
  readonly folder: string;
  readonly newId: NewId;
  readonly clock: Pick<Clock, "now">;
}

/** Bodies in files named by their hash. Only for one machine, or for a folder that all of them share. */
export function fileBodyStore({ folder, newId, clock }: FileBodyStoreOptions): BodyStore {
  const placeOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256);
  return {
    name: "fs",
    async keep(sha256, body) {
      const place = placeOf(sha256);
      // Kept anew: whoever would let go of it sees that.
      if (await touch(place, clock.now())) return;
      await mkdir(join(place, ".."), { recursive: true, mode: 0o700 });
      const draft = `${place}.${newId()}`;
      try {
        await writeDurably(draft, body);
        await rename(draft, place);
        await syncFolder(join(place, ".."));
      } finally {
        await rm(draft, { force: true });
      }
    },
    placeOf,
    read: (sha256) => readFile(placeOf(sha256)).catch(unlessMissing),
    async forget(sha256) {
      const known = await stat(placeOf(sha256)).catch(unlessMissing);
      if (known !== null && clock.now() - known.mtimeMs >= forgottenAfterMs) await rm(placeOf(sha256), { force: true });
    },
  };
}

/** False: there is no such file. */
async function touch(place: string, now: number): Promise<boolean> {
  const time = new Date(now);
  return (await utimes(place, time, time).then(() => true, unlessMissing)) ?? false;
}

async function writeDurably(place: string, body: Uint8Array): Promise<void> {
  const file = await open(place, "wx", 0o600);
  try {
    await file.writeFile(body);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A new name is durable when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
