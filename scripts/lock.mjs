import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";

const abandonedAfterMs = 10 * 60_000;

/**
 * Runs `work` while no other process does the same under this lock; waits for its turn.
 * @template T
 * @param {string} lockFile
 * @param {() => T} work
 * @returns {T}
 */
export function whileLocked(lockFile, work) {
  takeLock(lockFile);
  try {
    return work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

/** @param {string} lockFile */
function takeLock(lockFile) {
  let saidSo = false;
  while (!lockIsMine(lockFile)) {
    if (dropAbandonedLock(lockFile)) continue;
    if (!saidSo) console.error("Waiting for another process that is setting up …");
    saidSo = true;
    pause(200);
  }
}

/** @param {string} lockFile */
function lockIsMine(lockFile) {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

/**
 * A killed process leaves its lock behind. The age covers a process id that means someone else by now.
 * @param {string} lockFile
 */
function dropAbandonedLock(lockFile) {
  try {
    const holder = readFileSync(lockFile, "utf8");
    const ageMs = Date.now() - statSync(lockFile).mtimeMs;
    if (isAlive(Number(holder)) && ageMs < abandonedAfterMs) return false;
    moveAway(lockFile, holder);
    return true;
  } catch (error) {
    // Released, or taken by a third, in the meantime: look again.
    if (isCode(error, "ENOENT") || isCode(error, "EEXIST")) return true;
    throw error;
  }
}

/**
 * Moved, not removed: of two processes that saw the same dead holder, the slower would remove the quicker one's lock.
 * @param {string} lockFile
 * @param {string} holder
 */
function moveAway(lockFile, holder) {
  const aside = `${lockFile}.${process.pid}`;
  renameSync(lockFile, aside);
  const caught = readFileSync(aside, "utf8");
  rmSync(aside);
  if (caught !== holder) writeFileSync(lockFile, caught, { flag: "wx" });
}

/**
 * A lock still without its holder's id reads as 0, which is always alive: its holder is about to write it.
 * @param {number} pid
 */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

/** @param {number} ms */
function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/**
 * @param {unknown} error
 * @param {string} code
 */
function isCode(error, code) {
  return error instanceof Error && "code" in error && error.code === code;
}
