import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson, type Json } from "./canonical-json.ts";

it("writes a value the same way whatever the order of its names", () => {
  expect(canonicalJson({ b: [1, { d: null, c: "é" }], a: true })).toBe('{"a":true,"b":[1,{"c":"é","d":null}]}');
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), (object) => {
      const reversed = Object.fromEntries(Object.entries(object).reverse());
      expect(canonicalJson(reversed as Json)).toBe(canonicalJson(object as Json));
      expect(JSON.parse(canonicalJson(object as Json))).toEqual(JSON.parse(JSON.stringify(object)));
    }),
  );
});

it("sorts by code unit, so that programs in other languages agree", () => {
  expect(canonicalJson({ "\u{1f600}": 1, "\ufb01": 2, Z: 3, a: 4 })).toBe('{"Z":3,"a":4,"\u{1f600}":1,"\ufb01":2}');
});

it("refuses numbers that JSON does not have", () => {
  expect(() => canonicalJson([Number.NaN])).toThrow("NaN cannot be written as JSON.");
});
