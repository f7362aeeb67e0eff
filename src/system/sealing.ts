import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { OfficeError } from "../domain/errors.ts";
import { hasCode } from "../domain/has-code.ts";

/** Keeps what people type where others can read, but cannot understand it. */
export interface Sealing {
  /** `about` is what it belongs to: sealed for one thing it opens for no other. */
  seal(text: string, about: string): Promise<Uint8Array>;
  /** Refuses what was sealed with another key, or changed. */
  open(sealed: Uint8Array, about: string): Promise<string>;
}

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/** With the key given, as 64 hexadecimal digits; else with the one in this folder, which is made when it is first needed. */
export function sealing({ key, folder }: { readonly key: string | undefined; readonly folder: string }): Sealing {
  let known: Promise<Buffer> | undefined;
  const ready = () => {
    known ??= key ? parseKey(key) : keyIn(folder);
    known.catch(() => {
      known = undefined;
    });
    return known;
  };
  return {
    async seal(text, about) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, await ready(), nonce).setAAD(Buffer.from(about));
      return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    },
    async open(sealed, about) {
      const bytes = Buffer.from(sealed);
      const own = await ready();
      try {
        const decipher = createDecipheriv(algorithm, own, bytes.subarray(0, nonceBytes))
          .setAAD(Buffer.from(about))
          .setAuthTag(bytes.subarray(-tagBytes));
        const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
        return Buffer.concat([text, decipher.final()]).toString("utf8");
      } catch {
        throw otherKey(about);
      }
    },
  };
}

async function parseKey(text: string): Promise<Buffer> {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  throw new OfficeError(
    "INVALID_CONFIG",
    "DLO_SECRET_KEY must be 64 hexadecimal digits. Make one: openssl rand -hex 32",
  );
}

/** Whole or not there: of several who make it at once, one wins and the others read it. */
async function keyIn(folder: string): Promise<Buffer> {
  const file = join(folder, "secret.key");
  const found = await readFile(file, "utf8").catch(() => null);
  if (found !== null) return parseKeyFile(found, file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const own = `${file}.${randomBytes(8).toString("hex")}`;
  await writeFile(own, `${randomBytes(keyBytes).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  try {
    await link(own, file);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await rm(own, { force: true });
  }
  return parseKeyFile(await readFile(file, "utf8"), file);
}

function parseKeyFile(text: string, file: string): Buffer {
  const key = Buffer.from(text.trim(), "hex");
  if (key.byteLength === keyBytes) return key;
  throw new OfficeError("INVALID_CONFIG", `${file} holds no key. Restore it, or remove it and type secrets again.`);
}

function otherKey(about: string): OfficeError {
  return new OfficeError(
    "INVALID_CONFIG",
    `What belongs to ${about} was sealed with another key. Type it again, or give every process the DLO_SECRET_KEY it was sealed with.`,
  );
}
