import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { listening } from "./jars.ts";
import { freePort, makeFolder, removeFolder, type ServerProcess, startProcess } from "./server-process.ts";

const program = join(
  process.env.DLO_SERVER_JARS ?? join(homedir(), ".cache", "dlo-servers"),
  ...["moto", "bin", "moto_server"],
);

/** Why there is no moto to test with; undefined where there is one. */
export const noMoto = existsSync(program) ? undefined : `no moto at ${program}: npm run test:release installs it`;

/** Moto's server for the tests of one `describe`, which lets everybody do everything. */
export function useMoto(): { readonly endpoint: string } {
  let server: ServerProcess;
  let folder = "";
  let endpoint = "";
  beforeAll(async () => {
    folder = makeFolder("moto", undefined);
    const port = await freePort();
    const args = ["-H", "127.0.0.1", "-p", String(port)];
    server = startProcess({ file: program, args, folder, account: undefined });
    await eventually(() => listening(port), { withinMs: 60_000 });
    endpoint = `http://127.0.0.1:${port}`;
  }, 90_000);
  afterAll(async () => {
    server?.signal("SIGKILL");
    await server?.ended;
    removeFolder(folder);
  });
  return {
    get endpoint() {
      return endpoint;
    },
  };
}
