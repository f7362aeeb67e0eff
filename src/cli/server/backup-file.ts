import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream";
import { pipeline as pipelineEnd } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { OfficeError } from "../../domain/errors.ts";

/** Readable by nobody else; removed again when it does not become whole. */
export async function writeLines<Sum>(
  file: string,
  fill: (write: (line: string) => Promise<void>) => Promise<Sum>,
): Promise<Sum> {
  const target = createWriteStream(file, { mode: 0o600, flags: "wx" });
  await once(target, "open").catch((error: unknown) => {
    throw refused(file, error);
  });
  const packed = createGzip();
  // The first thing that goes wrong, with the disk or with the filling, ends both streams and is what this rejects with.
  const whole = pipelineEnd(packed, target);
  try {
    const sum = await fill(async (line) => {
      // Nothing drains a stream that was ended: waiting for it would never end.
      if (packed.destroyed) throw new Error("The file was closed.");
      if (!packed.write(`${line}\n`)) await once(packed, "drain");
    });
    packed.end();
    await whole;
    return sum;
  } catch (error) {
    packed.destroy(error as Error);
    const first = await whole.then(
      () => error,
      (reason: unknown) => reason,
    );
    await rm(file, { force: true });
    throw refused(file, first);
  }
}

/**
 * Its lines, which end with a line feed and nothing else: readline also ends them at U+2028 and U+2029, which JSON may have in
 * the middle of a text.
 */
export async function* readLines(file: string): AsyncGenerator<string> {
  // What goes wrong is thrown where the last of them is read.
  const unpacked = pipeline(createReadStream(file), createGunzip(), () => {});
  const decoder = new TextDecoder();
  let line = "";
  try {
    for await (const piece of unpacked as AsyncIterable<Uint8Array>) {
      const [rest = "", ...others] = decoder.decode(piece, { stream: true }).split("\n");
      if (line.length + rest.length > longestLine) throw new RangeError("A line does not end.");
      line += rest;
      for (const next of others) {
        yield line;
        line = next;
      }
    }
  } catch (error) {
    throw refused(file, error);
  }
  if (line !== "") yield line;
}

/** In characters. The largest body that a broker takes fits into one; a file of a few kilobytes may unpack to more. */
const longestLine = 2 ** 28;

const problems: Readonly<Record<string, string>> = {
  EEXIST: "is there already: a backup is never written over",
  ENOENT: "cannot be found",
  EACCES: "may not be used by this user",
  EISDIR: "is a folder",
  ENOSPC: "does not fit on its disk",
  EDQUOT: "is more than this user may store there",
  EFBIG: "would be larger than a file may be here",
  Z_DATA_ERROR: "is no backup of a ledger, or was damaged; `dlo backup FILE` writes one",
  LONG_LINE: "is no backup of a ledger: it has a line longer than any of one",
  Z_BUF_ERROR: "was cut: its end is missing",
};

function refused(file: string, error: unknown): Error {
  const code =
    error instanceof RangeError ? "LONG_LINE" : error instanceof Error && "code" in error ? error.code : null;
  const why = problems[String(code)];
  if (why !== undefined) return new OfficeError("INVALID_FILE", `${file} ${why}.`, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}
