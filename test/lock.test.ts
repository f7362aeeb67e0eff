import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
/** All that `npm ci` reads on a clean clone. */
const files = [".npmrc", "package.json", "package-lock.json", "launcher/package.json", "toolchain/package.json"];
const platforms = ["linux", "darwin", "win32"].flatMap((os) => ["x64", "arm64"].map((cpu) => ({ os, cpu })));
let clone: string;

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), "dead-letter-office-lock-"));
  for (const file of files) cpSync(join(root, file), join(clone, file));
});

afterAll(() => rmSync(clone, { recursive: true, force: true }));

// When this fails after a change of dependencies: node scripts/complete-lock.mjs
it.each(platforms)("has all that npm ci installs on $os and $cpu", ({ os, cpu }) => {
  const args = ["ci", "--dry-run", "--offline", `--os=${os}`, `--cpu=${cpu}`];
  const { status, stdout, stderr } = spawnSync("npm", args, {
    cwd: clone,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/added [1-9]\d* packages/);
});
