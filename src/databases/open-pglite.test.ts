import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPglite } from "./open-pglite.ts";

it("lets nobody else come to its files, be the folder they are in open to all", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dlo-pglite-"));
  try {
    chmodSync(folder, 0o755);
    for (const start of ["a new one", "one that was there"]) {
      const { close } = await openPglite(folder);
      const others = statSync(join(folder, "ledger")).mode & 0o077;
      expect([start, others]).toEqual([start, 0]);
      await close();
      chmodSync(join(folder, "ledger"), 0o755);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
