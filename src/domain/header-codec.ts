import type { Header, HeaderValue } from "./message.ts";

/**
 * Headers as bytes for a column: JSON in UTF-8, which people can read with psql and which keeps everything, since what
 * has no JSON of its own (bytes, integers of 64 bits, NaN, a lone surrogate) is written as something that has. Not a
 * jsonb column, which refuses NUL and lone surrogates and rounds nothing but reorders and drops.
 */
type Written = string | boolean | null | readonly Written[] | Tagged;
type Tagged =
  | { readonly bytes: string }
  | { readonly integer: string }
  | { readonly timestamp: string }
  | { readonly double: number | string }
  | { readonly table: readonly WrittenHeader[] };
type WrittenHeader = readonly [name: string, value: Written];

/** The name under which bytes come that are not headers of ours; somebody wrote the row by hand. */
const undecodable = "undecodable";

/** Null where there are none. */
export function encodeHeaders(headers: readonly Header[]): Buffer | null {
  return headers.length === 0 ? null : Buffer.from(JSON.stringify(writeHeaders(headers)));
}

/** Never throws: one row that cannot be read must not stop the queue. */
export function decodeHeaders(bytes: Uint8Array | null): readonly Header[] {
  if (bytes === null) return [];
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
    return readHeaders(JSON.parse(text) as readonly WrittenHeader[]);
  } catch {
    return [{ name: undecodable, value: { type: "bytes", value: bytes } }];
  }
}

function writeHeaders(headers: readonly Header[]): readonly WrittenHeader[] {
  return headers.map(({ name, value }) => [name, write(value)]);
}

function readHeaders(written: readonly WrittenHeader[], depth = 0): readonly Header[] {
  return written.map(([name, value]) => ({ name: requireText(name), value: read(value, depth) }));
}

function write(value: HeaderValue): Written {
  switch (value.type) {
    case "text":
    case "boolean":
    case "null":
      return value.value;
    case "bytes":
      return { bytes: Buffer.from(value.value).toString("base64") };
    case "integer":
      return { integer: String(value.value) };
    case "timestamp":
      return { timestamp: String(value.value) };
    case "double":
      return { double: writeDouble(value.value) };
    case "list":
      return value.value.map(write);
    case "table":
      return { table: writeHeaders(value.value) };
  }
}

function writeDouble(value: number): number | string {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? value : String(value);
}

/** Levels of lists and tables in a header's value: deeper ones would exhaust the stack of whoever masks or shows them. */
const deepest = 200;

function read(written: Written, depth = 0): HeaderValue {
  if (depth > deepest) throw new RangeError("Its headers are nested too deeply.");
  if (typeof written === "string") return { type: "text", value: written };
  if (typeof written === "boolean") return { type: "boolean", value: written };
  if (written === null) return { type: "null", value: null };
  if (Array.isArray(written))
    return { type: "list", value: (written as readonly Written[]).map((item) => read(item, depth + 1)) };
  return readTagged(written as Tagged, depth);
}

function readTagged(tagged: Tagged, depth: number): HeaderValue {
  if ("bytes" in tagged) return { type: "bytes", value: new Uint8Array(Buffer.from(tagged.bytes, "base64")) };
  if ("integer" in tagged) return { type: "integer", value: BigInt(tagged.integer) };
  if ("timestamp" in tagged) return { type: "timestamp", value: BigInt(tagged.timestamp) };
  if ("double" in tagged) return { type: "double", value: Number(tagged.double) };
  return { type: "table", value: readHeaders(tagged.table, depth + 1) };
}

function requireText(name: unknown): string {
  if (typeof name !== "string") throw new TypeError("A header's name is text.");
  return name;
}
