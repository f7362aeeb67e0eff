/** Servers that Go builds from the modules of its registry; only the tests of a release need them. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runQuietly, serversFolder } from "./maven.mjs";

/**
 * @typedef {object} GoServer
 * @property {string} folder below {@link serversFolder}, and the name of the program in it
 * @property {string} name
 * @property {string} takes how long
 * @property {string} module
 * @property {string} version as the registry has it
 * @property {string} main the package of the program, below the module
 * @property {readonly string[]} withoutReplace modules that it takes from a neighbouring folder, which the registry doesn't have
 */

/** @type {GoServer} */
export const dex = {
  folder: "dex",
  name: "Dex",
  takes: "1 to 5 minutes",
  module: "github.com/dexidp/dex",
  // 2.45.1, whose tag is no version to Go since its module isn't called v2.
  version: "v0.0.0-20260303133905-11d2eeb52b42",
  main: "./cmd/dex",
  withoutReplace: ["github.com/dexidp/dex/api/v2"],
};

/** @type {GoServer} */
export const minio = {
  folder: "minio",
  name: "MinIO",
  takes: "3 to 8 minutes",
  module: "github.com/minio/minio",
  version: "v0.0.0-20260212201848-7aac2a2c5b7c",
  main: ".",
  withoutReplace: [],
};

/** @param {GoServer} server */
export function isBuilt({ folder, version }) {
  const stamp = join(serversFolder, folder, "complete");
  return existsSync(stamp) && readFileSync(stamp, "utf8") === version;
}

/**
 * In a folder of this process first, as in {@link fetchJars}.
 * @param {GoServer} server
 */
export function buildWithGo(server) {
  const { name, takes, folder: program, version } = server;
  console.error(`Setting up: building ${name} with Go, ${takes}, once …`);
  const built = join(serversFolder, program);
  const folder = `${built}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    build(server, folder);
    writeFileSync(join(folder, "complete"), version);
    rmSync(built, { recursive: true, force: true });
    if (!existsSync(built)) renameSync(folder, built);
  } catch (error) {
    console.error(`Setup failed; the tests that need ${name} cannot run:\n${error}`);
    if (process.env.CI === "true") process.exitCode = 1;
  }
  rmSync(folder, { recursive: true, force: true });
}

/**
 * A copy of the module, since `go install` refuses one that replaces others.
 * @param {GoServer} server
 * @param {string} folder
 */
function build({ folder: program, module, version, main, withoutReplace }, folder) {
  const answer = runQuietly("go", ["mod", "download", "-json", `${module}@${version}`], { cwd: folder });
  const { Dir: downloaded } = /** @type {{ readonly Dir: string }} */ (JSON.parse(answer));
  const source = join(folder, "source");
  cpSync(downloaded, source, { recursive: true });
  // Go keeps modules read-only, folders too.
  runQuietly("chmod", ["-R", "u+w", source], { cwd: folder });
  const drop = withoutReplace.map((replaced) => `-dropreplace=${replaced}`);
  if (drop.length > 0) runQuietly("go", ["mod", "edit", ...drop], { cwd: source });
  const env = { ...process.env, CGO_ENABLED: "0" };
  runQuietly("go", ["build", "-mod=mod", "-o", join(folder, program), main], { cwd: source, env });
  rmSync(source, { recursive: true });
}
