/** Servers in Python, each in an environment of its own; only the tests of a release need them. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runQuietly, serversFolder } from "./maven.mjs";

/**
 * @typedef {object} PipServer
 * @property {string} folder below {@link serversFolder}
 * @property {string} name
 * @property {string} requirement as pip has it
 */

/** @type {PipServer} */
export const moto = { folder: "moto", name: "moto", requirement: "moto[server,s3]==5.1.*" };

/** @param {PipServer} server */
export function isInstalled({ folder, requirement }) {
  const stamp = join(serversFolder, folder, "complete");
  return existsSync(stamp) && readFileSync(stamp, "utf8") === requirement;
}

/**
 * In its own folder, since programs of an environment name where it is. What was broken off is begun again.
 * @param {PipServer} server
 */
export function installWithPip({ folder, name, requirement }) {
  console.error(`Setting up: installing ${name} with pip, once …`);
  const environment = join(serversFolder, folder);
  try {
    mkdirSync(serversFolder, { recursive: true });
    rmSync(environment, { recursive: true, force: true });
    runQuietly("python3", ["-m", "venv", environment], { cwd: serversFolder });
    runQuietly(join(environment, "bin", "pip"), ["install", "--quiet", requirement], { cwd: serversFolder });
    writeFileSync(join(environment, "complete"), requirement);
  } catch (error) {
    console.error(`Setup failed; the tests that need ${name} cannot run:\n${error}`);
    if (process.env.CI === "true") process.exitCode = 1;
  }
}
