import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { readWebFiles, type WebFiles } from "../../src/http/web-files.ts";
import { root } from "../sources.ts";

/** The web UI of the sources as they are, built into that folder. */
export async function buildWeb(folder: string): Promise<WebFiles> {
  const outDir = join(folder, "web");
  await build({ configFile: join(root, "web/vite.config.ts"), build: { outDir }, logLevel: "error" });
  return readWebFiles(pathToFileURL(`${outDir}/`));
}
