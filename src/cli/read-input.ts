import { createReadStream } from "node:fs";
import { UsageError } from "./failure.ts";

/** A file, or what is piped in, byte for byte. */
export async function readBytes(file: string, stdin: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of file === "-" ? stdin : createReadStream(file)) chunks.push(chunk as Uint8Array);
  } catch (error) {
    throw unreadable(file, error);
  }
  return Buffer.concat(chunks);
}

/** A file, or what is piped in under the name `-`, as text in pieces. Refuses what cannot be read by its name. */
export async function* readInput(file: string, stdin: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of file === "-" ? stdin : createReadStream(file)) {
      yield decoder.decode(chunk as Uint8Array, { stream: true });
    }
  } catch (error) {
    throw unreadable(file, error);
  }
  yield decoder.decode();
}

function unreadable(file: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return new UsageError("unexpected_value", `There is no file \`${file}\`.`);
  if (code === "EISDIR") return new UsageError("unexpected_value", `\`${file}\` is a folder.`);
  if (code === "EACCES") return new UsageError("unexpected_value", `\`${file}\` may not be read by this user.`);
  return error;
}
