import { describe, expect, it } from "vitest";
import { exit } from "../exit-codes.ts";
import type { CommandTable } from "../find-command.ts";
import { run } from "../run.ts";
import { dialectReadCommand } from "./read.ts";

const letter = {
  id: "a",
  transport: "kafka",
  topic: "orders-dlt",
  timestamp: 1_794_736_805_123,
  headers: [
    { k: "kafka_dlt-original-topic", utf8: "orders" },
    { k: "kafka_dlt-original-partition", hex: "00000003" },
    { k: "kafka_dlt-original-offset", hex: "0020000000000001" },
    { k: "kafka_dlt-exception-fqcn", utf8: "java.net.SocketTimeoutException" },
    { k: "kafka_dlt-exception-message", utf8: "Read timed out" },
  ],
};

describe("dlo dialect read", () => {
  it("prints a line for each letter, in order, with all digits and the category", async () => {
    const { lines, code } = await dlo(`${JSON.stringify({ id: "b", fixture: letter })}\n${JSON.stringify(letter)}\n`);
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(["b", "a"]);
    expect(lines[1]).toContain('"offset":9007199254740993,');
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({
      dialects: ["spring-kafka-dlt"],
      source: "orders",
      partition: 3,
      errorClass: "java.net.SocketTimeoutException",
      errorMessage: "Read timed out",
      stack: null,
      attempts: null,
      firstFailedAt: null,
      lastFailedAt: "2026-11-15T10:00:05.123Z",
      expiresAt: null,
      replay: { destination: "orders", via: null },
      category: "transient",
      why: expect.any(String) as unknown,
    });
    expect(code).toBe(exit.done);
  });

  it("says in its place what cannot be read, by line, and reads the others", async () => {
    const input = `[\n ${JSON.stringify(letter)},\n {"transport": "kafka", "headers": {}},\n oops,\n ${JSON.stringify(letter)}\n]`;
    const { lines, code, notes } = await dlo(input);
    expect(lines.slice(1, 3).map((line) => JSON.parse(line) as unknown)).toEqual([
      { line: 3, id: null, error: "headers: must be a list, for order and repetition matter" },
      { line: 4, id: null, error: expect.stringContaining("oops") as unknown },
    ]);
    expect(lines).toHaveLength(4);
    expect(notes).toContain("2 of 4 could not be read.");
    expect(code).toBe(exit.failed);
  });

  it("refuses a file that is not there", async () => {
    const { code, notes } = await dlo("", "no-such-file.jsonl");
    expect(notes).toContain("There is no file `no-such-file.jsonl`.");
    expect(code).toBe(exit.usage);
  });
});

async function dlo(input: string, file = "-") {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const table: CommandTable = { groups: { dialect: "" }, commands: [dialectReadCommand] };
  const code = await run(["dialect", "read", file], table, {
    stdout: { write: (text) => stdout.push(String(text)) },
    stderr: { write: (text) => stderr.push(String(text)) },
    stdin: ReadableStream.from([new TextEncoder().encode(input)]),
    env: {},
    clock: { now: () => 0, after: () => () => {} },
    signal: new AbortController().signal,
    version: "0.0.0",
  });
  return { code, lines: stdout.join("").trimEnd().split("\n"), notes: stderr.join("") };
}
