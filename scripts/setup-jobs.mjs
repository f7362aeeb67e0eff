/**
 * Sees to it that the job frameworks of other languages are there that the tests run: RQ, dramatiq and Celery from the Python registry,
 * asynq and River built by Go; Sidekiq, Laravel and Symfony Messenger are Debian's packages. Each where its language is; what is missing is skipped by the tests.
 * They are in the user's cache, for all working copies.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cache = process.env.DLO_JOB_FRAMEWORKS ?? join(homedir(), ".cache", "dlo-jobs");
const goFolder = fileURLToPath(new URL("../test/jobs/workers/go", import.meta.url));

/**
 * @param {string} file
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnSyncOptions} options
 */
function runs(file, args, options = {}) {
  return spawnSync(file, args, { stdio: ["ignore", "ignore", "inherit"], ...options }).status === 0;
}

/** @type {Readonly<Record<string, string>>} */
const pythonPackages = { rq: "rq>=2.12,<3", dramatiq: "dramatiq[redis]>=2.2,<3", celery: "celery>=5.6,<6" };

function setUpPython() {
  // By its version: what one Python needs beside a package, another brings along.
  const { stdout } = spawnSync("python3", ["-c", "import platform; print(platform.python_version())"]);
  const folder = join(cache, `python-${String(stdout ?? "").trim()}`);
  const missing = Object.keys(pythonPackages).filter((name) => !existsSync(join(folder, name)));
  if (missing.length === 0) return;
  if (!runs("python3", ["-m", "pip", "--version"], { stdio: "ignore" })) return;
  console.error(`Setting up: ${missing.join(", ")}, for tests (once) …`);
  const quiet = [
    "--quiet",
    "--upgrade",
    "--disable-pip-version-check",
    "--no-warn-conflicts",
    "--root-user-action=ignore",
  ];
  const packages = missing.map((name) => pythonPackages[name] ?? name);
  if (!runs("python3", ["-m", "pip", "install", ...quiet, "--target", folder, ...packages]))
    console.error("They could not be installed: the tests with them are skipped, or fail with CI=true.");
}

function setUpGo() {
  const hash = createHash("sha256");
  for (const name of readdirSync(goFolder).sort()) hash.update(readFileSync(join(goFolder, name)));
  const built = join(cache, "go", `worker-${hash.digest("hex").slice(0, 16)}`);
  if (existsSync(built) || !runs("go", ["version"], { stdio: "ignore" })) return;
  console.error("Setting up: asynq and River, for tests (once, a minute or more) …");
  mkdirSync(join(cache, "go"), { recursive: true });
  const half = `${built}.${process.pid}`;
  if (runs("go", ["build", "-o", half, "."], { cwd: goFolder })) renameSync(half, built);
  else console.error("They could not be built: the tests with them are skipped, or fail with CI=true.");
}

setUpPython();
setUpGo();
