import { isUtf8 } from "node:buffer";
import type { Header } from "../../domain/message.ts";

const names = /^[!-9;-~]+$/u;
const lineFeeds = /[\r\n]/u;
const firstLine = Buffer.from("\r\n");
const colon = 0x3a;

/** Whether a header arrives as it is if it is written as one of NATS's own. */
export function isText(name: string, value: string): boolean {
  return (
    names.test(name) && !lineFeeds.test(value) && value.trim() === value && Buffer.from(value).toString() === value
  );
}

/**
 * Headers as they stand on the wire. The client groups them by name and reads all as UTF-8, which is not what somebody may
 * have sent; what it read them from is still there. Null where a version of the client keeps it elsewhere.
 */
export function readRawHeaders(msg: object): readonly Header[] | null {
  const bytes = wireBytesOf(msg);
  if (bytes === null) return null;
  const headers: Header[] = [];
  for (let at = bytes.indexOf(firstLine) + 2; at >= 2 && at < bytes.length; ) {
    const end = bytes.indexOf(firstLine, at);
    const line = bytes.subarray(at, end === -1 ? bytes.length : end);
    const split = line.indexOf(colon);
    if (split > 0)
      headers.push({ name: line.subarray(0, split).toString(), value: readValue(line.subarray(split + 1)) });
    at = end === -1 ? bytes.length : end + 2;
  }
  return headers;
}

/** Where the client keeps them of what was delivered, and of what a stream shows. */
interface ClientsOwn {
  readonly _rdata?: unknown;
  readonly _msg?: { readonly hdr?: unknown };
  readonly smr?: { readonly message?: { readonly hdrs?: unknown } };
}

function wireBytesOf(msg: ClientsOwn): Buffer | null {
  const { _rdata: data, _msg: parsed, smr: shown } = msg;
  if (typeof shown?.message?.hdrs === "string") return Buffer.from(shown.message.hdrs, "base64");
  if (!(data instanceof Uint8Array) || typeof parsed?.hdr !== "number" || parsed.hdr < 0) return null;
  return Buffer.from(data.buffer, data.byteOffset, parsed.hdr);
}

/** Spaces around a value are not part of it. */
function readValue(bytes: Buffer): Header["value"] {
  const isBlank = (byte: number | undefined) => byte === 0x20 || byte === 0x09;
  let [from, to] = [0, bytes.length];
  while (from < to && isBlank(bytes[from])) from += 1;
  while (to > from && isBlank(bytes[to - 1])) to -= 1;
  const value = bytes.subarray(from, to);
  return isUtf8(value) ? { type: "text", value: value.toString() } : { type: "bytes", value: new Uint8Array(value) };
}
