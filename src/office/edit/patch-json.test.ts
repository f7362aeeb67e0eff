import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonText } from "../../domain/json-text.ts";
import { checkJsonEdit } from "./check-edit.ts";
import { diffJson, sameNumber } from "./json-diff.ts";
import { formatPointer } from "./json-pointer.ts";
import { type PatchStep, parsePatch, patchJson } from "./patch-json.ts";

const spot = (text: string) => ({ text, node: parseJsonText(text) });
const diff = (before: string, after: string) => diffJson(spot(before), spot(after));
const odd = '{\n  "id": 12345678901234567890,\n  "price": 1.10,\n  "tags": [ "a", "b" ],\n  "note": "\\u00e9"\n}';

describe("patching JSON as text", () => {
  it.each<[string, PatchStep, string]>([
    ["replaces a value", { op: "replace", path: "/price", value: "2.50" }, odd.replace("1.10", "2.50")],
    ["removes a member with its comma", { op: "remove", path: "/price" }, odd.replace('"price": 1.10,\n  ', "")],
    [
      "removes the last member with the comma before it",
      { op: "remove", path: "/note" },
      odd.replace(/,\n {2}"note".*"/u, ""),
    ],
    [
      "adds a member the way the others are written",
      { op: "add", path: "/x", value: "1" },
      odd.replace('"\n}', '",\n  "x": 1\n}'),
    ],
    ["adds over an existing member", { op: "add", path: "/price", value: "3" }, odd.replace("1.10", "3")],
    ["inserts an item", { op: "add", path: "/tags/0", value: '"z"' }, odd.replace('"a"', '"z", "a"')],
    ["appends an item", { op: "add", path: "/tags/-", value: '"z"' }, odd.replace('"b"', '"b", "z"')],
    ["removes an item", { op: "remove", path: "/tags/0" }, odd.replace('"a", ', "")],
    [
      "copies text, not its worth",
      { op: "copy", from: "/id", path: "/price" },
      odd.replace("1.10", "12345678901234567890"),
    ],
    ["changes nothing when a test holds", { op: "test", path: "/note", value: '"é"' }, odd],
    ["replaces the whole document", { op: "replace", path: "", value: "[]" }, "[]"],
  ])("%s and leaves every other byte alone", (_title, step, expected) => {
    expect(patchJson(odd, [step])).toBe(expected);
  });

  it("moves a value in both directions of a list", () => {
    expect(patchJson("[1,2,3]", [{ op: "move", from: "/0", path: "/2" }])).toBe("[2,3,1]");
    expect(patchJson("[1,2,3]", [{ op: "move", from: "/2", path: "/0" }])).toBe("[3,1,2]");
  });

  it("fills empty objects and lists", () => {
    expect(patchJson("{}", [{ op: "add", path: "/a", value: "1" }])).toBe('{"a":1}');
    expect(patchJson("[]", [{ op: "add", path: "/-", value: "1" }])).toBe("[1]");
  });

  it("understands names with slashes and tildes", () => {
    expect(patchJson('{"a/b~c":1}', [{ op: "replace", path: "/a~1b~0c", value: "2" }])).toBe('{"a/b~c":2}');
  });

  it.each<[string, string, PatchStep, string]>([
    ["a key that stands there twice", '{"a":1,"a":2}', { op: "replace", path: "/a", value: "3" }, "edit.key_repeated"],
    ["a repeated key on the way", '{"a":{"b":1},"a":{}}', { op: "add", path: "/a/c", value: "3" }, "edit.key_repeated"],
    ["a path that is not there", "{}", { op: "replace", path: "/a", value: "1" }, "edit.path_missing"],
    ["a place inside a single value", '{"a":1}', { op: "add", path: "/a/b", value: "1" }, "edit.path_missing"],
    ["a list index beyond the end", "[1]", { op: "add", path: "/2", value: "1" }, "edit.path_missing"],
    ["a list index with a leading zero", "[1,2]", { op: "remove", path: "/01" }, "edit.path_invalid"],
    ["a pointer without a slash", "{}", { op: "remove", path: "a" }, "edit.path_invalid"],
    ["a move into itself", '{"a":{}}', { op: "move", from: "/a", path: "/a/b" }, "edit.path_invalid"],
    [
      "a test that fails",
      '{"a":9007199254740993}',
      { op: "test", path: "/a", value: "9007199254740992" },
      "edit.test_failed",
    ],
    ["a body that is not JSON", "<a/>", { op: "remove", path: "/a" }, "edit.not_json"],
  ])("refuses %s", (_title, text, step, code) => {
    expect(() => patchJson(text, [step])).toThrow(expect.objectContaining({ code }));
  });

  it("keeps every digit of the values in a patch document", () => {
    const steps = parsePatch('[{"op":"replace","path":"/id","value":98765432109876543210}]');
    expect(patchJson(odd, steps)).toContain("98765432109876543210");
  });

  it.each(["{}", "[1]", '[{"op":"jump","path":""}]', '[{"op":"add","path":"/a"}]', '[{"op":"move","path":"/a"}]', "["])(
    "refuses the patch document %s",
    (document) => expect(() => parsePatch(document)).toThrow(expect.objectContaining({ code: "edit.patch_invalid" })),
  );

  it("puts back what it took away", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (object, pick) => {
        const text = JSON.stringify(object);
        const key = Object.keys(object)[pick % Object.keys(object).length] ?? "";
        const path = formatPointer([key]);
        const removed = patchJson(text, [{ op: "remove", path }]);
        const restored = patchJson(removed, [{ op: "add", path, value: JSON.stringify(object[key]) }]);
        expect(diff(text, restored)).toEqual([]);
      }),
    );
  });
});

describe("comparing JSON", () => {
  it("sees what changed, not how it is written", () => {
    expect(diff('{"a":1.0,"b":"\\u00e9"}', '{ "b": "é", "a": 1 }')).toEqual([]);
    expect(diff('{"a":[1,2,3],"b":1}', '{"a":[0,1,2,3],"c":1}')).toEqual([
      { path: "/a/0", before: null, after: "0" },
      { path: "/b", before: "1", after: null },
      { path: "/c", before: null, after: "1" },
    ]);
  });

  it("does not repeat its work at every level of nesting", () => {
    const nest = (value: string) => "[".repeat(500) + value + "]".repeat(500);
    expect(diff(nest("1"), nest("2"))).toEqual([{ path: "/0".repeat(500), before: "1", after: "2" }]);
  });

  it.each([
    ["1", "1.0", true],
    ["100", "1e2", true],
    ["0.001", "1E-3", true],
    ["9007199254740993", "9007199254740992", false],
    ["1e400", "1e401", false],
    ["-0", "0", false],
    ["1e999999999999", "10e999999999998", true],
  ])("takes %s and %s for the same number: %s", (one, other, same) => expect(sameNumber(one, other)).toBe(same));

  it("refuses a document that a program rounded on the way", () => {
    const rounded = JSON.stringify(JSON.parse(odd));
    expect(() => checkJsonEdit(odd, rounded)).toThrow(expect.objectContaining({ code: "edit.precision_lost" }));
    expect(checkJsonEdit(odd, odd.replace("12345678901234567890", "7"))).toEqual([
      { path: "/id", before: "12345678901234567890", after: "7" },
    ]);
  });
});
