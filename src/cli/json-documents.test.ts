import { describe, expect, it } from "vitest";
import { jsonDocuments } from "./json-documents.ts";

describe("documents of an input", () => {
  it("are one a line, with the line's number, blank ones not counted as documents", async () => {
    expect(await documentsIn('\n{"a":1}\n\n{"b":2}\r\n{"c":3}')).toEqual([
      { text: '{"a":1}', line: 2 },
      { text: '{"b":2}', line: 4 },
      { text: '{"c":3}', line: 5 },
    ]);
  });

  it("are the elements of a list, over any number of lines", async () => {
    expect(await documentsIn('[\n  {"a": [1, 2]},\n\n  {"b":\n "],"},\n {"c": "\\""}\n]\n')).toEqual([
      { text: '{"a": [1, 2]}', line: 2 },
      { text: '{"b":\n "],"}', line: 4 },
      { text: '{"c": "\\""}', line: 6 },
    ]);
  });

  it("are found though one of them is broken", async () => {
    expect(await documentsIn('{"a":1}\n{"b":\n{"c":3}\n')).toEqual([
      { text: '{"a":1}', line: 1 },
      { text: '{"b":', line: 2 },
      { text: '{"c":3}', line: 3 },
    ]);
    expect(await documentsIn('[{"a":1}, oops, {"c":3}')).toEqual([
      { text: '{"a":1}', line: 1 },
      { text: "oops", line: 1 },
      { text: '{"c":3}', line: 1 },
    ]);
  });

  it("are none in an empty input or list", async () => {
    expect(await documentsIn(" \n\n")).toEqual([]);
    expect(await documentsIn("[ ]\n")).toEqual([]);
  });
});

/** The same whether the input comes at once or a character at a time. */
async function documentsIn(text: string) {
  const whole = await collect(jsonDocuments(piecesOf([text])));
  expect(await collect(jsonDocuments(piecesOf([...text])))).toEqual(whole);
  return whole;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function* piecesOf(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}
