import fc from "fast-check";
import { expect, it } from "vitest";
import type { Header, HeaderValue } from "../../domain/message.ts";
import { ByteWriter } from "./bytes.ts";
import { decodeFieldTable, encodeFieldTable, unreadableTable } from "./field-table.ts";

function encoded(headers: readonly Header[]): Buffer {
  const writer = new ByteWriter();
  encodeFieldTable(writer, headers);
  return writer.bytes.subarray(4);
}

/** One header as any client may write it. */
function entry(name: string | Buffer, tag: string, value: Buffer): Buffer {
  const bytes = Buffer.from(name);
  return Buffer.concat([Buffer.from([bytes.length]), bytes, Buffer.from(tag), value]);
}

function prefixed(value: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(value.length);
  return Buffer.concat([length, value]);
}

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
const name = fc.string({ unit: "grapheme", maxLength: 20 });

const { value: anyValue } = fc.letrec<{ value: HeaderValue; table: Header[] }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "grapheme" }).map((value) => ({ type: "text", value }) as const),
    bytes.map((value) => ({ type: "bytes", value }) as const),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => ({ type: "integer", value }) as const),
    fc.double({ noNaN: true }).map((value) => ({ type: "double", value }) as const),
    fc.boolean().map((value) => ({ type: "boolean", value }) as const),
    fc.bigInt({ min: 0n, max: 2n ** 53n }).map((value) => ({ type: "timestamp", value: value * 1_000n }) as const),
    fc.constant({ type: "null", value: null } as const),
    fc.array(tie("value"), { maxLength: 4 }).map((value) => ({ type: "list", value }) as const),
    tie("table").map((value) => ({ type: "table", value }) as const),
  ),
  table: fc.array(fc.record({ name, value: tie("value") }), { maxLength: 4 }),
}));
const anyHeaders = fc.array(fc.record({ name, value: anyValue }), { maxLength: 6 });

/** A value in any of AMQP's types, in its own encoding. */
const { tagged: anyTagged, entries: anyEntries } = fc.letrec<{ tagged: [string, Buffer]; entries: Buffer }>((tie) => ({
  tagged: fc.oneof(
    { depthSize: "small" },
    fc.tuple(fc.constantFrom("b", "B"), fixed(1)),
    fc.tuple(fc.constantFrom("s", "u"), fixed(2)),
    fc.tuple(fc.constantFrom("I", "i", "f"), fixed(4)),
    fc.tuple(fc.constant("D"), fixed(5)),
    fc.tuple(fc.constantFrom("l", "d", "T"), fixed(8)),
    fc.tuple(fc.constant("t"), fixed(1)),
    fc.tuple(fc.constantFrom("S", "x"), bytes.map(prefixed)),
    fc.tuple(fc.constant("V"), fixed(0)),
    fc.tuple(fc.constant("F"), tie("entries").map(prefixed)),
    fc.tuple(
      fc.constant("A"),
      fc.array(tie("tagged"), { maxLength: 3 }).map((items) => {
        return prefixed(Buffer.concat(items.map(([tag, value]) => Buffer.concat([Buffer.from(tag), value]))));
      }),
    ),
  ),
  entries: fc
    .array(fc.tuple(bytes, tie("tagged")), { maxLength: 4 })
    .map((all) => Buffer.concat(all.map(([key, [tag, value]]) => entry(key, tag, value)))),
}));

function fixed(length: number) {
  return fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array));
}

it("reads what it wrote", () => {
  fc.assert(
    fc.property(anyHeaders, (headers) => {
      expect(decodeFieldTable(encoded(headers))).toEqual(headers);
    }),
  );
});

it("writes what it read, byte for byte, whatever types and bytes somebody used", () => {
  fc.assert(
    fc.property(anyEntries, (table) => {
      expect(encoded(decodeFieldTable(table))).toEqual(table);
    }),
  );
});

it("keeps each header's bytes when others are added, taken away and moved", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(bytes, anyTagged), { minLength: 2, maxLength: 5 }), (all) => {
      const entries = all.map(([key, [tag, value]]) => entry(key, tag, value));
      const headers = decodeFieldTable(Buffer.concat(entries));
      const [, ...others] = headers.toReversed();
      expect(encoded(others)).toEqual(Buffer.concat(entries.slice(0, -1).toReversed()));
    }),
  );
});

it("never throws, and keeps the bytes of what is not a table", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (array) => {
      const table = Buffer.from(array);
      const headers = decodeFieldTable(table);
      if (headers[0]?.name === unreadableTable) expect(headers[0].value).toEqual({ type: "bytes", value: table });
    }),
  );
});

it.each<[string, string, HeaderValue]>([
  ["b", "ff", { type: "integer", value: -1n }],
  ["B", "ff", { type: "integer", value: 255n }],
  ["s", "8000", { type: "integer", value: -32_768n }],
  ["u", "8000", { type: "integer", value: 32_768n }],
  ["I", "ffffffff", { type: "integer", value: -1n }],
  ["i", "ffffffff", { type: "integer", value: 4_294_967_295n }],
  ["l", "0020000000000001", { type: "integer", value: 9_007_199_254_740_993n }],
  ["f", "3f800000", { type: "double", value: 1 }],
  ["D", "0200000005", { type: "text", value: "0.05" }],
  ["D", "00000000ff", { type: "text", value: "255" }],
  ["T", "0000000069554e00", { type: "timestamp", value: 1_767_198_208_000n }],
  ["S", "00000001ff", { type: "bytes", value: Buffer.from([0xff]) }],
  ["S", "00000003efbfbd", { type: "text", value: "\u{fffd}" }],
])("reads AMQP's type %s (%s)", (tag, hex, value) => {
  expect(decodeFieldTable(entry("h", tag, Buffer.from(hex, "hex")))).toEqual([{ name: "h", value }]);
});

it("keeps a table in a table in a table … as bytes, before the stack is exhausted", () => {
  let table: Buffer = Buffer.alloc(0);
  for (let depth = 0; depth < 15_000; depth++) table = entry("", "F", prefixed(table));
  const headers = decodeFieldTable(table);
  expect(headers).toHaveLength(1);
  expect(encoded(headers)).toEqual(table);
});

it.each<[string, Header]>([
  ["whole seconds", { name: "h", value: { type: "timestamp", value: 1_500n } }],
  ["since 1970", { name: "h", value: { type: "timestamp", value: -1_000n } }],
  ["64 bits", { name: "h", value: { type: "integer", value: 2n ** 63n } }],
  ["255 bytes", { name: "x".repeat(256), value: { type: "null", value: null } }],
])("refuses what AMQP cannot carry (%s), and says so", (why, header) => {
  expect(() => encoded([header])).toThrow(why);
});
