import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { jarsOf, listening } from "./jars.ts";
import { freePort, makeFolder, removeFolder, type ServerProcess, startProcess } from "./server-process.ts";

/** A server that `npm run test:release` builds or installs, beside those that run on Java. */
export interface ReleaseProgram {
  readonly file: string;
  /** Why there is none to test with; undefined where there is one. */
  readonly missing: string | undefined;
}

export function releaseProgram(server: string, ...path: readonly string[]): ReleaseProgram {
  const file = join(jarsOf(server), ...path);
  return { file, missing: existsSync(file) ? undefined : `no ${file}: npm run test:release sees to it` };
}

/** It runs for the tests of one `describe`, in a folder of its own. Its port may be read once those run. */
export function useReleaseProgram(
  { file }: ReleaseProgram,
  argsIn: (folder: string, port: number) => readonly string[] | Promise<readonly string[]>,
): { readonly port: number } {
  let server: ServerProcess | undefined;
  let folder = "";
  let port = 0;
  beforeAll(async () => {
    folder = makeFolder("release", undefined);
    port = await freePort();
    server = startProcess({ file, args: await argsIn(folder, port), folder, account: undefined });
    await eventually(() => listening(port), { withinMs: 60_000 });
  }, 90_000);
  afterAll(async () => {
    server?.signal("SIGKILL");
    await server?.ended;
    removeFolder(folder);
  });
  return {
    get port() {
      return port;
    },
  };
}
