import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { describeServer } from "./describe-server.ts";
import { noPostgresServer, startPostgres } from "./postgres.ts";

describeServer("a server started for tests", noPostgresServer, () => {
  it("ends with its runner, data and all, though that was killed and its test hangs", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dlo-runner-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    // For whoever the server runs as.
    chmodSync(folder, 0o777);
    const program = fileURLToPath(new URL("hung-runner.ts", import.meta.url));
    const env = { ...process.env, TMPDIR: folder };
    const runner = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "inherit"] });
    const [printed] = (await once(runner.stdout, "data")) as [Buffer];
    const port = Number(printed.toString());
    expect(await isOpen(port)).toBe(true);
    expect(readdirSync(folder)).toHaveLength(1);
    runner.kill("SIGKILL");
    await eventually(async () => !(await isOpen(port)), { withinMs: 120_000 });
    await eventually(() => readdirSync(folder).length === 0, { withinMs: 120_000 });
  });

  it("has a port and a folder of its own beside another", async () => {
    const servers = await Promise.all([startPostgres(), startPostgres()]);
    expect(new Set(servers.map(({ port }) => port)).size).toBe(2);
    expect(await Promise.all(servers.map(({ port }) => isOpen(port)))).toEqual([true, true]);
    await Promise.all(servers.map((server) => server.close()));
    expect(await Promise.all(servers.map(({ port }) => isOpen(port)))).toEqual([false, false]);
  });
});

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
