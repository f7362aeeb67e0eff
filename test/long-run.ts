import { execFileSync } from "node:child_process";

/** What the code was that a long run has judged, for its report. */
export function commit(): string {
  try {
    return execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}

export function wholeNumber(flag: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${flag} must be a whole number. It is ${text}.`);
  return value;
}

/** Prints a result; 0 is the exit code of whoever has nothing more to say. */
export function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
