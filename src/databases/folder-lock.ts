import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { OfficeError } from "../domain/errors.ts";

/** Sockets have short names: a folder deep down cannot hold its own. */
const longestPath = 100;

/**
 * Takes a folder for this process alone, until it is closed or the process dies. A socket rather than a file with a process
 * id: it goes with its process, and in containers ids lie.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = socketPath(folder);
  for (let attempt = 1; ; attempt++) {
    try {
      const server = await listen(path);
      return () => new Promise((done) => server.close(() => done()));
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
      if (!isTaken || attempt > 3) throw error;
      if (await answers(path)) throw inUse(folder);
      // Its process died: nobody listens there any more.
      await rm(path, { force: true });
    }
  }
}

function socketPath(folder: string): string {
  const own = join(resolve(folder), "lock.sock");
  if (own.length <= longestPath) return own;
  return join(tmpdir(), `dlo-${createHash("sha256").update(own).digest("hex").slice(0, 16)}.sock`);
}

function listen(path: string): Promise<Server> {
  return new Promise((resolved, reject) => {
    const server = createServer((socket) => socket.end());
    server.once("error", reject);
    server.listen(path, () => {
      // What only waits for others to ask must not keep the process alive.
      server.unref();
      resolved(server);
    });
  });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolved) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolved(true);
    });
    socket.once("error", () => resolved(false));
  });
}

function inUse(folder: string): OfficeError {
  return new OfficeError(
    "LEDGER_IN_USE",
    `Another process has the ledger in ${folder} open. Wait until it ends, or give both one PostgreSQL: --database URL.`,
    { details: { folder } },
  );
}
