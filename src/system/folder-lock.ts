import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { OfficeError } from "../domain/errors.ts";

/** Sockets have short names: a folder deep down cannot hold its own. */
const longestPath = 100;

/** A folder that is this process's alone. */
export interface FolderLock {
  /** From now on whoever finds the folder taken is told this: where the office is that has it. */
  announce(text: string): void;
  release(): Promise<void>;
}

/**
 * Takes a folder for this process alone, until it is released or the process dies. A socket rather than a file with a process
 * id: it goes with its process, and in containers ids lie.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = socketPath(folder);
  const said = { text: "" };
  for (let attempt = 1; ; attempt++) {
    try {
      const server = await listen(path, () => said.text);
      return {
        announce(text) {
          said.text = text;
        },
        release: () => new Promise((done) => server.close(() => done())),
      };
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
      if (!isTaken || attempt > 3) throw error;
      const holder = await askHolder(folder);
      if (holder !== null) throw inUse(folder, holder);
      // Its process died: nobody listens there any more.
      await rm(path, { force: true });
    }
  }
}

/** What the process announces that has the folder: empty where it announces nothing, null where nobody has it. */
export function askHolder(folder: string): Promise<string | null> {
  return new Promise((resolved) => {
    const chunks: string[] = [];
    let isTaken = false;
    const socket = connect(socketPath(folder));
    socket.setEncoding("utf8");
    socket.once("connect", () => {
      isTaken = true;
    });
    socket.on("data", (chunk: string) => chunks.push(chunk));
    socket.once("close", () => resolved(isTaken ? chunks.join("") : null));
    // A holder that breaks off in the middle is one nevertheless; "close" follows in any case.
    socket.once("error", () => {});
  });
}

function socketPath(folder: string): string {
  const own = join(resolve(folder), "lock.sock");
  if (own.length <= longestPath) return own;
  return join(tmpdir(), `dlo-${createHash("sha256").update(own).digest("hex").slice(0, 16)}.sock`);
}

function listen(path: string, announced: () => string): Promise<Server> {
  return new Promise((resolved, reject) => {
    const server = createServer((socket) => {
      // Whoever asks may be gone before the answer.
      socket.on("error", () => {});
      socket.end(announced());
    });
    server.once("error", reject);
    server.listen(path, () => {
      // What only waits for others to ask must not keep the process alive.
      server.unref();
      resolved(server);
    });
  });
}

function inUse(folder: string, holder: string): OfficeError {
  const who = holder === "" ? "Another process" : `The office at ${holder}`;
  return new OfficeError(
    "LEDGER_IN_USE",
    `${who} has the ledger in ${folder} open. Wait until it ends, or give both one PostgreSQL: --database URL.`,
    { details: { folder } },
  );
}
