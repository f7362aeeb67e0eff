import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { OfficeError } from "../domain/errors.ts";

/** How machines tell each other that they have a folder, in milliseconds. */
export interface MarkTuning {
  /** How often who has it says so. */
  readonly beatMs: number;
  /** How long a silent one is watched before it is taken for dead: longer than a busy one is silent. */
  readonly watchMs: number;
}

const markTuning: MarkTuning = { beatMs: 5_000, watchMs: 20_000 };

interface Mark {
  /** One boot of one kernel: sockets reach everybody on it, and nobody elsewhere. */
  readonly machine: string;
  readonly host: string;
  /** Another one with each beat. Clocks of two machines are not compared. */
  readonly beat: string;
}

/** A folder that no other machine has. */
export interface MachineMark {
  release(): Promise<void>;
}

/**
 * Marks a folder as this machine's until it is released. A socket tells the processes of one machine apart, and says nothing to
 * another machine that mounts the same volume: so whoever has the folder keeps writing to a file in it, and a machine that finds
 * another's file watches whether it still changes.
 */
export async function markFolder(
  folder: string,
  { machine = thisMachine(), tuning = markTuning }: { readonly machine?: string; readonly tuning?: MarkTuning } = {},
): Promise<MachineMark> {
  const path = join(folder, "machine.json");
  const found = await readMark(path);
  if (found !== null && found.machine !== machine) await requireDead(folder, path, found, tuning);
  const write = () => writeMark(path, { machine, host: hostname(), beat: randomUUID() });
  await write();
  let writing = Promise.resolve();
  const beating = setInterval(() => {
    // One after the other. A beat that fails, on a full disk perhaps, is followed by others.
    writing = writing.then(write).catch(() => {});
  }, tuning.beatMs);
  beating.unref();
  return {
    async release() {
      clearInterval(beating);
      await writing;
      if ((await readMark(path))?.machine === machine) await rm(path, { force: true });
    },
  };
}

async function requireDead(folder: string, path: string, found: Mark, { beatMs, watchMs }: MarkTuning): Promise<void> {
  for (let watched = 0; watched < watchMs; watched += beatMs) {
    await pause(beatMs);
    const now = await readMark(path);
    if (now === null) return;
    if (now.beat !== found.beat) throw heldElsewhere(folder, now);
  }
}

/** Null where nobody has marked it, or the mark is not whole. */
async function readMark(path: string): Promise<Mark | null> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Mark;
  } catch {
    return null;
  }
}

/** As a whole or not at all: who reads it must not find half of it. */
async function writeMark(path: string, mark: Mark): Promise<void> {
  const draft = `${path}.${mark.beat}`;
  await writeFile(draft, JSON.stringify(mark), { mode: 0o600 });
  await rename(draft, path);
}

function thisMachine(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return hostname();
  }
}

function heldElsewhere(folder: string, { host }: Mark): OfficeError {
  return new OfficeError(
    "LEDGER_IN_USE",
    `A process on the machine ${host} has the ledger in ${folder} open. End it, or give both one PostgreSQL: --database URL.`,
    { details: { folder, host } },
  );
}
