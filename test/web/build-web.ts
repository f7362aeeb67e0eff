import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { readWebFiles, type WebFiles } from "../../src/http/web-files.ts";
import { shared } from "../servers/one-for-all.ts";
import { root } from "../sources.ts";

/** The web UI of the sources as they are, built once for all tests of a run. */
export async function builtWeb(): Promise<WebFiles> {
  const built = await shared("web");
  return readWebFiles(pathToFileURL(`${built?.folder ?? join(root, "dist/web")}/`));
}

/** Builds it below that folder; gives where it is. */
export async function buildWeb(folder: string): Promise<string> {
  const outDir = join(folder, "web");
  await build({ configFile: join(root, "web/vite.config.ts"), build: { outDir }, logLevel: "error" });
  return outDir;
}
