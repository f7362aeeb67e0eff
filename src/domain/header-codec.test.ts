import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeHeaders, encodeHeaders } from "./header-codec.ts";
import { type Header, type HeaderValue, textHeader } from "./message.ts";
import { defaultMasking, maskHeaders } from "./redaction.ts";

/** Any string of JavaScript: NUL and lone surrogates too. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

const { value: anyValue } = fc.letrec<{ value: HeaderValue; header: Header }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    anyText.map((value) => ({ type: "text" as const, value })),
    fc.uint8Array().map((value) => ({ type: "bytes" as const, value })),
    int64.map((value) => ({ type: "integer" as const, value })),
    int64.map((value) => ({ type: "timestamp" as const, value })),
    fc.double().map((value) => ({ type: "double" as const, value })),
    fc.boolean().map((value) => ({ type: "boolean" as const, value })),
    fc.constant({ type: "null" as const, value: null }),
    fc.array(tie("value")).map((value) => ({ type: "list" as const, value })),
    fc.array(tie("header")).map((value) => ({ type: "table" as const, value })),
  ),
  header: fc.record({ name: anyText, value: tie("value") }, { noNullPrototype: true }),
}));
const anyHeaders = fc.array(fc.record({ name: anyText, value: anyValue }, { noNullPrototype: true }));

describe("the headers of a row", () => {
  it("come back exactly as they were written, whatever they hold", () => {
    fc.assert(
      fc.property(anyHeaders, (headers) => {
        expect(decodeHeaders(encodeHeaders(headers))).toStrictEqual(headers);
      }),
    );
  });

  it("take no bytes when there are none", () => {
    expect(encodeHeaders([])).toBeNull();
    expect(decodeHeaders(null)).toEqual([]);
  });

  it("can be read by people", () => {
    const headers: Header[] = [textHeader("trace", "ä"), { name: "n", value: { type: "integer", value: 2n ** 60n } }];
    expect(encodeHeaders(headers)?.toString()).toBe('[["trace","ä"],["n",{"integer":"1152921504606846976"}]]');
  });

  it("are handed over as bytes where they are nested so deeply that nobody could show them", () => {
    const bytes = new Uint8Array(Buffer.from(`[["n",${"[".repeat(3_000)}${"]".repeat(3_000)}]]`));
    const headers = decodeHeaders(bytes);
    expect(headers).toEqual([{ name: "undecodable", value: { type: "bytes", value: bytes } }]);
    expect(maskHeaders(headers, defaultMasking)).toEqual(headers);
  });

  it.each(["", "no JSON", "{}", "[1]", '[["name"]]', '[[1,"x"]]', '[["n",{"integer":"one"}]]'])(
    "are handed over as bytes when somebody else wrote them: %s",
    (text) => {
      const bytes = new Uint8Array(Buffer.from(text));
      expect(decodeHeaders(bytes)).toEqual([{ name: "undecodable", value: { type: "bytes", value: bytes } }]);
    },
  );
});
