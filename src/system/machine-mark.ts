import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { OfficeError } from "../domain/errors.ts";
import { hasCode } from "../domain/has-code.ts";

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

export interface MarkOptions {
  /** @default the boot of this kernel */
  readonly machine?: string;
  readonly tuning?: MarkTuning;
  /** Another machine took it, while this one stood still for too long. @default ends the process: it may not write any more */
  readonly onLost?: (error: OfficeError) => void;
}

/**
 * Marks a folder as this machine's until it is released. A socket tells the processes of one machine apart, and says nothing to
 * another machine that mounts the same volume: so whoever has the folder keeps writing to a file in it, and a machine that finds
 * another's file watches whether it still changes.
 */
export async function markFolder(
  folder: string,
  { machine = thisMachine(), tuning = markTuning, onLost = endProcess }: MarkOptions = {},
): Promise<MachineMark> {
  const path = join(folder, "machine.json");
  const newMark = (): Mark => ({ machine, host: hostname(), beat: randomUUID() });
  await takeMark({ folder, path, mark: newMark(), tuning });
  const beat = async () => {
    const now = await readMark(path);
    if (now === null || now.machine === machine) return writeMark(path, newMark());
    clearInterval(beating);
    onLost(heldElsewhere(folder, now));
  };
  let writing = Promise.resolve();
  const beating = setInterval(() => {
    // One after the other. A beat that fails, on a full disk perhaps, is followed by others.
    writing = writing.then(beat).catch(() => {});
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

interface Taking {
  readonly folder: string;
  readonly path: string;
  readonly mark: Mark;
  readonly tuning: MarkTuning;
}

/**
 * Of a machine that has made its file and not yet written into it, or that died then. Only watching tells the two apart: taken for
 * dead at once, the first of two that start together would lose its folder to the second while it has it open.
 */
const unfinished: Mark = { machine: "", host: "unknown", beat: "" };

/** Of machines that come at once one gets it: each step that decides is one that only one of them can make. */
async function takeMark(taking: Taking): Promise<void> {
  const { path, mark } = taking;
  if (await isFirst(path, mark)) return;
  const holder = (await readMark(path)) ?? unfinished;
  if (holder.machine === mark.machine) return writeMark(path, mark);
  await watchUntilDead(taking, holder);
  await succeed(taking, holder);
}

async function watchUntilDead({ folder, path, tuning }: Taking, holder: Mark): Promise<void> {
  for (let watched = 0; watched < tuning.watchMs; watched += tuning.beatMs) {
    await pause(tuning.beatMs);
    const now = await readMark(path);
    if (now !== null && now.beat !== holder.beat) throw heldElsewhere(folder, now);
  }
}

/** One successor for each dead: whoever is second finds the claim, or the mark of the first behind it. */
async function succeed({ folder, path, mark }: Taking, dead: Mark): Promise<void> {
  const claim = `${path}.after-${dead.beat}`;
  if (!(await isFirst(claim, mark)) && (await readMark(claim))?.machine !== mark.machine) {
    throw heldElsewhere(folder, (await readMark(claim)) ?? dead);
  }
  const now = await readMark(path);
  const isTaken = now !== null && now.beat !== dead.beat;
  if (!isTaken) await writeMark(path, mark);
  await rm(claim, { force: true });
  if (isTaken) throw heldElsewhere(folder, now);
}

async function isFirst(path: string, mark: Mark): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(mark), { mode: 0o600, flag: "wx" });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
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
  const draft = `${path}.${mark.machine}`;
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

function endProcess(error: OfficeError): void {
  setImmediate(() => {
    throw error;
  });
}

function heldElsewhere(folder: string, { host }: Mark): OfficeError {
  return new OfficeError(
    "LEDGER_IN_USE",
    `A process on the machine ${host} has the ledger in ${folder} open. End it, or give both one PostgreSQL: --database URL.`,
    { details: { folder, host } },
  );
}
