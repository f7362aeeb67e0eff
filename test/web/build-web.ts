import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { readWebFiles, type WebFiles } from "../../src/http/web-files.ts";
import { shared } from "../servers/one-for-all.ts";
import { root } from "../sources.ts";

/** The web UI of the sources as they are, built once for all tests of a run. */
export async function builtWeb(): Promise<WebFiles> {
  const built = await shared("web");
  return readWebFiles(pathToFileURL(`${built?.folder ?? join(root, "dist/web")}/`));
}

/**
 * Builds it below that folder; gives where it is. By a process of its own: in one that runs tests React would be built in as for developers, and
 * do everything twice.
 */
export async function buildWeb(folder: string): Promise<string> {
  const outDir = join(folder, "web");
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const options = ["build", join(root, "web"), "--outDir", outDir, "--emptyOutDir", "--logLevel", "error"];
  await promisify(execFile)(process.execPath, [vite, ...options], { env: { ...process.env, NODE_ENV: "production" } });
  return outDir;
}
