/** Servers that come as jars, from the Maven repository. */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Where servers are kept, for all working copies of this user; test/servers/jars.ts looks for them there. */
export const serversFolder = process.env.DLO_SERVER_JARS ?? join(homedir(), ".cache", "dlo-servers");

/**
 * @typedef {object} MavenServer
 * @property {string} folder below {@link serversFolder}, and below test/servers, where its pom.xml is
 * @property {string} name
 * @property {string} size of what is fetched
 * @property {string | null} environment the variable with the address of one that runs already, where tests can use one
 * @property {string} goal of Maven, and its options
 * @property {(folder: string) => void} prepare makes of what was fetched what the tests start; throws with what went wrong
 */

/** What has its classes in jars: all in `libs`. */
export const asJars = { goal: "copy-dependencies -DoutputDirectory=libs", prepare: () => {} };

/** @param {MavenServer} server */
function pomOf({ folder }) {
  return join(import.meta.dirname, "..", "..", "test", "servers", folder, "pom.xml");
}

/** @param {MavenServer} server */
export function isGiven({ environment }) {
  return environment !== null && Boolean(process.env[environment]);
}

/**
 * The jars are complete, and of the version that is asked for.
 * @param {MavenServer} server
 */
export function hasJars(server) {
  const stamp = join(serversFolder, server.folder, "complete");
  return existsSync(stamp) && readFileSync(stamp, "utf8") === readFileSync(pomOf(server), "utf8");
}

/**
 * Fetches the jars to a folder of this process first: several may do so at once, and a reader sees all of them or none.
 * @param {MavenServer} server
 */
export function fetchJars(server) {
  const { name, size } = server;
  console.error(`Setting up: fetching ${name} with Maven, ${size}, once …`);
  const jars = join(serversFolder, server.folder);
  const folder = `${jars}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  copyFileSync(pomOf(server), join(folder, "pom.xml"));
  try {
    runQuietly("mvn", ["-q", "-B", ...`dependency:${server.goal}`.split(" ")], { cwd: folder });
    server.prepare(folder);
    copyFileSync(pomOf(server), join(folder, "complete"));
    rmSync(jars, { recursive: true, force: true });
    if (!existsSync(jars)) renameSync(folder, jars);
  } catch (error) {
    console.error(`Setup failed; the tests that need ${name} cannot run:\n${error}`);
    if (process.env.CI === "true") process.exitCode = 1;
  }
  rmSync(folder, { recursive: true, force: true });
}

/**
 * What the program printed; throws with all of it if it fails.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ readonly cwd: string, readonly env?: NodeJS.ProcessEnv }} options
 */
export function runQuietly(file, args, options) {
  const { status, stdout, stderr, error } = spawnSync(file, args, { encoding: "utf8", ...options });
  if (status !== 0) throw error ?? new Error(`${file} ${args.join(" ")}:\n${stdout ?? ""}${stderr ?? ""}`);
  return stdout;
}
