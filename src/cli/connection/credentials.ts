import { chmod, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OfficeError } from "../../domain/errors.ts";
import { hasCode } from "../../domain/has-code.ts";
import type { Context } from "../command.ts";
import { settingsFolder } from "./user-files.ts";

/** What lets somebody in at one office. */
export interface Credential {
  /** A token, or a session's id: what is sent. */
  readonly secret: string;
  /** Whose it is, as that office said. */
  readonly person: string;
  /** When it ends, as that office said; null where it did not. */
  readonly expiresAt: string | null;
}

type Stored = Readonly<Record<string, Credential>>;

/** How an office is named in the file: what it issued goes to this address and to no other. */
export function officeAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}

/** Null where nobody has signed in at that office from here. */
export async function readCredential(env: Context["env"], url: string): Promise<Credential | null> {
  const stored = await readStored(env);
  const address = officeAddress(url);
  return Object.hasOwn(stored, address) ? (stored[address] ?? null) : null;
}

export async function keepCredential(env: Context["env"], url: string, credential: Credential): Promise<void> {
  await writeStored(env, { ...(await readStored(env)), [officeAddress(url)]: credential });
}

/** False where there was none. */
export async function dropCredential(env: Context["env"], url: string): Promise<boolean> {
  const { [officeAddress(url)]: dropped, ...others } = await readStored(env);
  if (dropped === undefined) return false;
  await writeStored(env, others);
  return true;
}

export function credentialsFile(env: Context["env"]): string {
  return join(settingsFolder(env), "credentials.json");
}

async function readStored(env: Context["env"]): Promise<Stored> {
  const file = credentialsFile(env);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return "{}";
    throw error;
  });
  await refuseOpenFile(file);
  try {
    return JSON.parse(text) as Stored;
  } catch (error) {
    throw new OfficeError("INVALID_FILE", `${file} cannot be read. Remove it, and sign in again: dlo login.`, {
      cause: error,
    });
  }
}

/** What others could read may have been read: it is not used as if nothing had happened. */
async function refuseOpenFile(file: string): Promise<void> {
  const mode = await stat(file).then(
    (found) => found.mode,
    () => 0o600,
  );
  if ((mode & 0o077) === 0 || process.platform === "win32") return;
  throw new OfficeError(
    "INVALID_FILE",
    `${file} can be read by others. Make it yours alone (chmod 600), and sign in anew if it was not meant.`,
  );
}

async function writeStored(env: Context["env"], stored: Stored): Promise<void> {
  const file = credentialsFile(env);
  await mkdir(settingsFolder(env), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
  // A file that was there already keeps its mode.
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
}
