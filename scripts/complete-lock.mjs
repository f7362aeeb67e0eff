/**
 * Adds to package-lock.json the optional packages of other platforms that `npm install` left out. npm drops an optional
 * package when the registry in use has no such version, and `npm ci` then refuses the lock on every platform. Run it
 * after a change of dependencies; test/lock.test.ts says when it is needed. It asks the registry of npm's configuration.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {{ version?: string, optionalDependencies?: Record<string, string>, dev?: boolean, license?: string,
 *   engines?: Record<string, string> }} LockEntry
 * @typedef {{ os?: string[], cpu?: string[], libc?: string[] }} Platform
 */

const lockPath = join(import.meta.dirname, "..", "package-lock.json");
const lock = /** @type {{ packages: Record<string, LockEntry> }} */ (JSON.parse(readFileSync(lockPath, "utf8")));

const missing = Object.entries(lock.packages).flatMap(([path, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => !isInstalledFor(path, name))
    .map(([name, version]) => ({ path: besideItsSiblings(path, name), name, version, parent: entry })),
);
for (const { path, name, version, parent } of missing) {
  lock.packages[path] = entryOf(name, version, parent);
  console.log(`Added ${name}@${version}`);
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en")));
writeFileSync(lockPath, `${JSON.stringify(lock, null, 2)}\n`);
console.log(missing.length === 0 ? "package-lock.json is complete." : `${missing.length} packages added.`);

/**
 * Whether the package at `path` would find `name`, as Node looks for it: in its own folder, then in each above.
 * @param {string} path
 * @param {string} name
 */
function isInstalledFor(path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
    if (lock.packages[`${folder === "" ? "" : `${folder}/`}node_modules/${name}`] !== undefined) return true;
    if (folder === "") return false;
  }
}

/**
 * Where npm puts it: in the folder that its parent is in.
 * @param {string} path
 * @param {string} name
 */
function besideItsSiblings(path, name) {
  const folder = path.slice(0, path.lastIndexOf("node_modules/") + "node_modules/".length);
  return `${folder}${name}`;
}

/**
 * Without an integrity where the registry has no such version: npm then takes that of the registry it installs from.
 * @param {string} name
 * @param {string} range
 * @param {LockEntry} parent
 */
function entryOf(name, range, parent) {
  const version = range.replace(/^[~^]/, "");
  const exact = ask(`${name}@${version}`);
  const platform = exact ?? ask(name) ?? platformInName(name);
  const { cpu, libc, os } = platform;
  return {
    version,
    ...(exact?.["dist.integrity"] !== undefined && { integrity: exact["dist.integrity"] }),
    ...(cpu && { cpu }),
    ...(parent.dev && { dev: true }),
    ...(libc && { libc }),
    ...(parent.license && { license: parent.license }),
    optional: true,
    ...(os && { os }),
    ...(parent.engines && { engines: parent.engines }),
  };
}

/** @param {string} spec */
function ask(spec) {
  const args = ["view", spec, "os", "cpu", "libc", "dist.integrity", "--json"];
  const { stdout, status } = spawnSync("npm", args, { encoding: "utf8", shell: process.platform === "win32" });
  if (status !== 0 || stdout.trim() === "") return undefined;
  return /** @type {Platform & { "dist.integrity"?: string }} */ (JSON.parse(stdout));
}

/**
 * A package that the registry has never heard of: `cli-android-arm64` is for Android on arm64.
 * @param {string} name
 * @returns {Platform}
 */
function platformInName(name) {
  const words = name.split(/[/-]/);
  const os = ["android", "darwin", "freebsd", "linux", "win32"].find((each) => words.includes(each));
  const cpu = ["arm", "arm64", "ia32", "x64"].find((each) => words.includes(each));
  return { ...(os && { os: [os] }), ...(cpu && { cpu: [cpu] }) };
}
