/** Keycloak, prepared so that it starts in seconds: built for its options once, and with a database to copy. */
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runQuietly } from "./maven.mjs";

/** An administrator of a server that listens on loopback, for as long as a test runs; test/servers/keycloak.ts signs in. */
const administrator = { KC_TEST_ADMIN: "admin", KC_TEST_PASSWORD: "admin" };

/** @type {import("./maven.mjs").MavenServer} */
export const keycloak = {
  folder: "keycloak",
  name: "Keycloak",
  size: "147 MB",
  environment: null,
  goal: "copy-dependencies -DoutputDirectory=archive",
  prepare,
};

/** @param {string} folder */
function prepare(folder) {
  const home = join(folder, "home");
  mkdirSync(home);
  const archive = join(folder, "archive");
  // Maven's own unpacking drops the files with the longest names.
  const files = readdirSync(archive).map((file) => join(archive, file));
  for (const file of files) runQuietly("tar", ["-xzf", file, "--strip-components=1"], { cwd: home });
  rmSync(archive, { recursive: true });
  const env = { ...process.env, ...administrator };
  const program = join(home, "bin", "kc.sh");
  runQuietly("sh", [program, "build", "--db=dev-file", "--http-relative-path=/auth"], { cwd: home, env });
  const names = ["--username:env", "KC_TEST_ADMIN", "--password:env", "KC_TEST_PASSWORD"];
  runQuietly("sh", [program, "bootstrap-admin", "user", "--optimized", ...names], { cwd: home, env });
  // Each server that tests start has a copy of these data: making them takes ten seconds.
  mkdirSync(join(folder, "data"));
  renameSync(join(home, "data", "h2"), join(folder, "data", "h2"));
}
