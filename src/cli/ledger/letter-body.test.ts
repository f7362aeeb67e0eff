import { describe, expect, it } from "vitest";
import { terminalOf } from "../terminal/terminal.ts";
import { writeBody } from "./letter-body.ts";

function written(body: string | Uint8Array, isTTY: boolean) {
  const bytes: Uint8Array[] = [];
  const notes: string[] = [];
  writeBody(Buffer.from(body), {
    terminal: terminalOf({ isTTY, write: () => {} }, {}),
    printBytes: (some) => void bytes.push(some),
    note: (text) => void notes.push(text),
  });
  return { text: Buffer.concat(bytes).toString("latin1"), notes };
}

describe("the body of a letter", () => {
  const hostile = '{\n\t"note": "\u001b]52;c;cm0gLXJm\u0007"\n}';

  it("goes byte for byte to a file or a pipe", () => {
    expect(written(hostile, false)).toEqual({ text: hostile, notes: [] });
    expect(written(Uint8Array.of(0xff, 0x00), false)).toEqual({ text: "\u00ff\u0000", notes: [] });
  });

  it("cannot command a terminal, and says that it is not shown as it is", () => {
    const { text, notes } = written(hostile, true);
    expect(text).toBe('{\n\t"note": "\\u{1b}]52;c;cm0gLXJm\\u{7}"\n}');
    expect(notes).toEqual([expect.stringContaining("`> FILE`")]);
    expect(written(Uint8Array.of(0xff, 0x9b), true).notes).toHaveLength(1);
  });

  it("is the same on a terminal where there is nothing to escape", () => {
    expect(written('{"n": 1}\n', true)).toEqual({ text: '{"n": 1}\n', notes: [] });
  });
});
