/**
 * Builds the web UI into dist/web when it is missing, or older than its sources; quick and silent when there is nothing to do.
 * The published package brings it ready-made: only a clone needs this.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { whileLocked } from "./lock.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = join(root, "dist", "web");
const stampFile = join(built, "sources.stamp");

/** What the pages are made of: themselves, and what they share with the server. */
const folders = ["web", "src/http", "src/domain", "src/office/operations"];

/**
 * Builds it if need be, or ends the process with one line that says why it cannot.
 * @param {string} node the path of a Node that can run Vite
 */
export function buildWeb(node) {
  const wanted = fingerprint();
  if (stamp() === wanted) return;
  mkdirSync(join(root, "dist"), { recursive: true });
  whileLocked(join(root, "dist", ".web-lock"), () => {
    if (stamp() !== wanted) build(node, wanted);
  });
}

/**
 * @param {string} node
 * @param {string} wanted
 */
function build(node, wanted) {
  console.error("Building the web UI (once, until its sources change) …");
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const { status, error } = spawnSync(node, [vite, "build", "web", "--logLevel", "error"], {
    cwd: root,
    // stdout belongs to the command that it is built for.
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) {
    console.error(`The web UI could not be built${error ? `: ${error.message}` : ""}.`);
    process.exit(1);
  }
  writeFileSync(stampFile, wanted);
}

function stamp() {
  return existsSync(stampFile) ? readFileSync(stampFile, "utf8") : undefined;
}

function fingerprint() {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  for (const file of folders.flatMap(filesUnder)) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

/** @param {string} folder */
function filesUnder(folder) {
  const names = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile() && !entry.name.includes(".test."))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
