import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Whom a server runs as: itself, or somebody else where it refuses to run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The account of that name if we are root; undefined if we are not, and everything runs as us. */
export function accountUnlessRoot(name: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** A folder below the system's temporary one, which `account` owns. */
export function makeFolder(name: string, account: Account | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), `dlo-${name}-`));
  chmodSync(folder, 0o755);
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

/** Below those that a system hands out by itself, to whoever connects or listens while our server still starts. */
const ports = { first: 12_000, count: 20_000, eachProcess: 16 } as const;

let portsTaken = 0;

/** A port of this machine that nobody uses, and that no other process of the tests is given for now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = ports.first + ((process.pid * ports.eachProcess + portsTaken) % ports.count);
    portsTaken += 1;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

export interface ServerCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Where it works, and where its output goes: `log` in it. */
  readonly folder: string;
  readonly account: Account | undefined;
}

/** A server as a process. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  hasEnded(): boolean;
  signal(name: NodeJS.Signals): void;
  /** What it has printed so far. */
  log(): string;
}

export function startProcess({ file, args, folder, account }: ServerCommand): ServerProcess {
  const log = openSync(join(folder, "log"), "a");
  const child = spawn(file, args, { cwd: folder, stdio: ["ignore", log, log], ...account });
  closeSync(log);
  let over = false;
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      over = true;
      resolve();
    };
    child.once("exit", end).once("error", end);
  });
  watchOver(child, folder);
  endWithRunner();
  return {
    pid: child.pid ?? 0,
    ended,
    hasEnded: () => over,
    signal: (name) => child.kill(name),
    log: () => readFileSync(join(folder, "log"), "utf8"),
  };
}

/**
 * Ends the server and removes its folder when we are gone, however we went: the pipe to the watcher closes with us, also
 * when we are killed. The watcher is a process group of its own, so that an interrupt from the keyboard does not reach it.
 */
function watchOver(child: ChildProcess, folder: string): void {
  const script = 'cat >/dev/null; kill -QUIT "$1" 2>/dev/null; sleep 1; kill -KILL "$1" 2>/dev/null; rm -rf "$2"';
  const watcher = spawn("sh", ["-c", script, "watcher", String(child.pid), folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watcher.unref();
  (watcher.stdin as unknown as { unref?(): void })?.unref?.();
  child.once("exit", () => watcher.kill("SIGKILL"));
}

let watchesRunner = false;

/**
 * A test runner that is killed leaves its workers behind, each until its test has ended, and a test that hangs never
 * does. They share a channel, which closes with the runner.
 */
function endWithRunner(): void {
  if (watchesRunner || !process.connected) return;
  watchesRunner = true;
  process.once("disconnect", () => process.exit(1));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Asks until `ready` resolves; rejects with what the server printed if it ends before that, or takes too long. */
export async function untilReady(
  server: ServerProcess,
  ready: () => Promise<unknown>,
  withinMs = 120_000,
): Promise<void> {
  const end = Date.now() + withinMs;
  for (;;) {
    if (server.hasEnded()) throw new Error(`The server ended at once:\n${server.log()}`);
    try {
      await ready();
      return;
    } catch (error) {
      if (Date.now() > end) throw new Error(`The server was not ready in time:\n${server.log()}`, { cause: error });
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
