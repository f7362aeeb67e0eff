import { createHash } from "node:crypto";
import { mkdir, rm, rmdir, stat } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { OfficeError } from "../domain/errors.ts";
import { hasCode } from "../domain/has-code.ts";
import { markFolder } from "./machine-mark.ts";

/** Sockets have short names: a folder deep down cannot hold its own. */
const longestPath = 100;

/** Asking a socket of this machine and taking a file away takes less, however busy the machine. */
const longestClearingMs = 30_000;

/** A folder that is this process's alone. */
export interface FolderLock {
  /** From now on whoever finds the folder taken is told this: where the office is that has it. */
  announce(text: string): void;
  release(): Promise<void>;
}

/**
 * Takes a folder for this process alone, until it is released or the process dies. A socket rather than a file with a process
 * id: it goes with its process, and in containers ids lie. Other machines, on a volume they share, are kept off by a mark.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  return takeFolder(folder).catch((error: unknown) => {
    throw unusable(folder, error);
  });
}

async function takeFolder(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = socketPath(folder);
  const said = { text: "" };
  const server = await listenAlone(folder, path, () => said.text);
  const close = () => new Promise<void>((done) => server.close(() => done()));
  const mark = await markFolder(folder).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    announce(text) {
      said.text = text;
    },
    async release() {
      // Before the next of this machine may come, whose mark it would be.
      await mark.release();
      await close();
    },
  };
}

async function listenAlone(folder: string, path: string, announced: () => string): Promise<Server> {
  for (;;) {
    try {
      return await listen(path, announced);
    } catch (error) {
      if (!hasCode(error, "EADDRINUSE")) throw error;
      const holder = await askHolder(folder);
      if (holder !== null) throw inUse(folder, holder);
    }
    await clearAway(folder, path);
  }
}

/**
 * Its process died: nobody listens there any more. One clears it away while others wait; otherwise the second of two that came
 * at once would take away what the first had just put up, and both had the folder.
 */
async function clearAway(folder: string, path: string): Promise<void> {
  const clearing = `${path}.clearing`;
  try {
    await mkdir(clearing);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    await pause(20);
    // Whoever cleared died of it.
    if ((await ageMs(clearing)) > longestClearingMs) await rmdir(clearing).catch(() => {});
    return;
  }
  try {
    if ((await askHolder(folder)) === null) await rm(path, { force: true });
  } finally {
    await rmdir(clearing);
  }
}

async function ageMs(path: string): Promise<number> {
  const made = await stat(path).catch(() => null);
  return made === null ? 0 : Date.now() - made.mtimeMs;
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

const problems: Readonly<Record<string, string>> = {
  EEXIST: "is a file, not a folder",
  ENOTDIR: "lies in what is a file, not a folder",
  EACCES: "may not be used by this user",
  EPERM: "may not be used by this user",
  EROFS: "is on a disk that can only be read",
  ENOSPC: "is on a disk that is full",
};

/** Why a folder cannot be had, where it is the folder's own fault. */
function unusable(folder: string, error: unknown): unknown {
  const why = error instanceof Error && "code" in error ? problems[String(error.code)] : undefined;
  if (why === undefined) return error;
  return new OfficeError("INVALID_FILE", `The data folder ${folder} ${why}.`, {
    cause: error,
    details: { hint: "DLO_DATA names another folder; --database URL keeps the ledger in a PostgreSQL." },
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
