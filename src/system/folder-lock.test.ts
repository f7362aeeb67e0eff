import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { askHolder, lockFolder } from "./folder-lock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dlo-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a process leaves behind that had the folder and was killed. */
async function leaveBehind(): Promise<void> {
  const listening = `require("node:net").createServer().listen(process.argv[1], () => console.log("has it"))`;
  const holder = spawn(process.execPath, ["-e", listening, join(folder, "lock.sock")]);
  await once(holder.stdout, "data");
  holder.kill("SIGKILL");
  await once(holder, "exit");
}

it("gives a folder to one at a time, and tells the others where that one is", async () => {
  const lock = await lockFolder(folder);
  lock.announce("http://127.0.0.1:7717");
  await expect(lockFolder(folder)).rejects.toThrow("The office at http://127.0.0.1:7717 has the ledger");
  await lock.release();
  expect(await askHolder(folder)).toBe(null);
  await (await lockFolder(folder)).release();
});

it("gives the folder of one that was killed to one of all that come for it at once", async () => {
  for (let round = 1; round <= 5; round++) {
    await leaveBehind();
    const tries = await Promise.allSettled(
      Array.from({ length: 40 }, async (_, n) => {
        // Each a step later than the one before, so that they meet at every step of each other.
        for (let step = 0; step < n; step++) await nextTurn();
        return lockFolder(folder);
      }),
    );
    const locks = tries.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(locks).toHaveLength(1);
    await locks[0]?.release();
  }
});

it("gives it although one was killed while it cleared away what another had left", async () => {
  await leaveBehind();
  const clearing = join(folder, "lock.sock.clearing");
  mkdirSync(clearing);
  const longAgo = new Date(2026, 0, 1);
  utimesSync(clearing, longAgo, longAgo);
  await (await lockFolder(folder)).release();
});
