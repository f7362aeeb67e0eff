import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonNode, JsonTextError, maxJsonDepth, parseJsonText } from "./json-text.ts";

/** What the spans say the text is worth. */
function worthOf(text: string, node: JsonNode): unknown {
  if (node.kind === "array") return node.items.map((item) => worthOf(text, item));
  if (node.kind === "object") {
    return Object.fromEntries(node.members.map(({ key, value }) => [key, worthOf(text, value)]));
  }
  return JSON.parse(text.slice(node.start, node.end));
}

function accepts(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("JSON read as text", () => {
  it("finds every value where it stands", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2, "\t"), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(worthOf(text, parseJsonText(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("accepts what JSON.parse accepts and nothing else, however a text is damaged", () => {
    const damaged = fc.tuple(fc.json(), fc.nat(), fc.nat(3), fc.string({ unit: "binary-ascii", maxLength: 2 }));
    fc.assert(
      fc.property(damaged, ([json, at, cut, inserted]) => {
        const place = at % (json.length + 1);
        const text = json.slice(0, place) + inserted + json.slice(place + cut);
        expect(accepts(parseJsonText, text)).toBe(accepts(JSON.parse, text));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    "",
    " ",
    "01",
    "1.",
    ".5",
    "+1",
    "1e",
    "[1,]",
    '{"a":1,}',
    "{a:1}",
    "'a'",
    "NaN",
    '"\u0001"',
    '"\\x"',
    "\ufeff1",
  ])("refuses %j", (text) => expect(() => parseJsonText(text)).toThrow(JsonTextError));

  it("says where it stopped understanding", () => {
    expect(() => parseJsonText('{"a": 1,, "b": 2}')).toThrow('Unexpected "," at offset 8');
  });

  it("reads a string of many megabytes", () => {
    const text = JSON.stringify("a\n".repeat(10_000_000));
    expect(parseJsonText(text).end).toBe(text.length);
  });

  it("keeps repeated keys", () => {
    const node = parseJsonText('{"a":1,"a":2}');
    expect(node.kind === "object" && node.members.map(({ key }) => key)).toEqual(["a", "a"]);
  });

  it("refuses a text built to exhaust the stack", () => {
    expect(() => parseJsonText("[".repeat(1_000_000))).toThrow(`More than ${maxJsonDepth} levels deep`);
    expect(accepts(parseJsonText, "[".repeat(maxJsonDepth) + "]".repeat(maxJsonDepth))).toBe(true);
  });
});
