import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { whileLocked } from "../scripts/lock.mjs";

function setup() {
  const folder = mkdtempSync(join(tmpdir(), "dead-letter-office-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { lockFile: join(folder, "lock"), log: join(folder, "log") };
}

it("is released when the work is done, and when it fails", () => {
  const { lockFile } = setup();
  expect(whileLocked(lockFile, () => existsSync(lockFile))).toBe(true);
  const fail = () => {
    throw new Error("no network");
  };
  expect(() => whileLocked(lockFile, fail)).toThrow("no network");
  expect(existsSync(lockFile)).toBe(false);
});

it("is taken over from a process that was killed", () => {
  const { lockFile } = setup();
  const { pid } = spawnSync(process.execPath, ["--version"]);
  writeFileSync(lockFile, String(pid));
  expect(whileLocked(lockFile, () => "done")).toBe("done");
});

it("is taken over when its holder's number has long since gone to another process", () => {
  const { lockFile } = setup();
  writeFileSync(lockFile, String(process.pid));
  utimesSync(lockFile, 0, 0);
  expect(whileLocked(lockFile, () => "done")).toBe("done");
});

it("lets one process at a time work, even when all of them find it abandoned", async () => {
  const { lockFile, log } = setup();
  writeFileSync(lockFile, String(spawnSync(process.execPath, ["--version"]).pid));
  const script = `
    import { appendFileSync } from "node:fs";
    import { whileLocked } from ${JSON.stringify(new URL("../scripts/lock.mjs", import.meta.url).href)};
    whileLocked(${JSON.stringify(lockFile)}, () => {
      appendFileSync(${JSON.stringify(log)}, "in ");
      for (const until = Date.now() + 30; Date.now() < until; );
      appendFileSync(${JSON.stringify(log)}, "out ");
    });`;
  const start = () => spawn(process.execPath, ["--input-type=module", "--eval", script], { stdio: "ignore" });
  await Promise.all(Array.from({ length: 4 }, () => once(start(), "exit")));
  expect(readFileSync(log, "utf8")).toBe("in out ".repeat(4));
});
