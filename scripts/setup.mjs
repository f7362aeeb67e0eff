/**
 * Makes the repository ready to run: installs what package-lock.json names when it is missing or stale, and says which
 * Node to use. Every script of package.json calls it first, so it must be quick and silent when there is nothing to do.
 * Plain JavaScript without dependencies: it runs before anything is installed, on whatever Node the machine has.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { whileLocked } from "./lock.mjs";

/** The first Node that runs TypeScript without a flag. The published package, being compiled, asks for less. */
const oldestNode = "22.18.0";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const stampFile = join(modules, ".setup-stamp");
/** Not in node_modules, which `npm ci` empties. */
const lockFile = join(root, ".setup-lock");
const nodeOfToolchain =
  process.platform === "win32"
    ? join(modules, `node-win-${process.arch}`, "bin", "node.exe")
    : join(modules, `node-${process.platform}-${process.arch}`, "bin", "node");

/**
 * Sets up if need be, or ends the process with one line that says why it cannot.
 * @returns {string} the path of a Node that can run the sources
 */
export function setUp() {
  try {
    return installWhenStale();
  } catch (error) {
    console.error(`Setting up failed: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}

function installWhenStale() {
  const wanted = fingerprint();
  let stamp = readStamp();
  if (stamp?.fingerprint !== wanted) {
    mkdirSync(modules, { recursive: true });
    stamp = whileLocked(lockFile, () => installUnlessDone(wanted));
  }
  return requireNode(stamp.node);
}

/** @param {string} wanted */
function installUnlessDone(wanted) {
  const done = readStamp();
  if (done?.fingerprint === wanted) return done;
  console.error("Setting up: installing the development dependencies (once, until package-lock.json changes) …");
  // Away first and back last, whole: whoever sees the stamp may rely on all that it stands for.
  rmSync(stampFile, { force: true });
  install();
  // It remembers which packages could not be found.
  rmSync(join(modules, ".vitest-cache"), { recursive: true, force: true });
  const node = toolchainVersion();
  writeFileSync(`${stampFile}.new`, node === undefined ? wanted : `${wanted} ${node}`);
  renameSync(`${stampFile}.new`, stampFile);
  return { fingerprint: wanted, node };
}

function install() {
  // The flags undo what a caller may have set for another purpose: NODE_ENV=production, `npm pack --dry-run`,
  // `npm install --global .`.
  const args = [...installCommand(), "--include=dev", "--include=optional", "--dry-run=false", "--global=false"];
  const { status, error } = spawnSync("npm", args, {
    cwd: root,
    // stdout belongs to the command that is being set up for: it may be printing JSON.
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, PATH: pathOutsideModules() },
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`npm ${args[0]} did not succeed${error ? ` (${error.message})` : ""}.`);
}

/** `npm ci` removes what is there first, and Windows does not remove a program that runs: the Node that runs this. */
function installCommand() {
  const isInModules = process.execPath.startsWith(modules + sep);
  return process.platform === "win32" && isInModules ? ["install", "--no-save"] : ["ci"];
}

/** npm must not run on the very Node it is about to replace. */
function pathOutsideModules() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.filter((folder) => !folder.split(sep).includes("node_modules")).join(delimiter);
}

/** What was installed last, and the Node it brought; undefined when nothing was, or not to the end. */
function readStamp() {
  if (!existsSync(stampFile)) return undefined;
  const [fingerprint, node] = readFileSync(stampFile, "utf8").split(" ");
  return { fingerprint, node };
}

function fingerprint() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  return hash.update(readFileSync(join(root, "package-lock.json"))).digest("hex");
}

/** Asked once, at installation: starting a Node costs more than all the rest of a quiet setup. */
function toolchainVersion() {
  if (!existsSync(nodeOfToolchain)) return undefined;
  return execFileSync(nodeOfToolchain, ["-p", "process.versions.node"], { encoding: "utf8" }).trim();
}

/**
 * The caller's own Node serves where the toolchain has none for the platform.
 * @param {string | undefined} toolchain
 */
function requireNode(toolchain) {
  const own = process.versions.node;
  if (!isOlder(own, oldestNode)) return process.execPath;
  if (toolchain !== undefined && !isOlder(toolchain, oldestNode)) return nodeOfToolchain;
  throw new Error(`Node ${oldestNode} or newer is needed to run the sources, and this is ${own}.`);
}

/**
 * @param {string} version
 * @param {string} floor
 */
function isOlder(version, floor) {
  return version.localeCompare(floor, "en", { numeric: true }) < 0;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) setUp();
