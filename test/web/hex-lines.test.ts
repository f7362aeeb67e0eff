import { expect, it } from "vitest";
import { hexLines } from "../../web/letters/hex-lines.ts";

it("shows where bytes are, what they are, and those that are plain characters", () => {
  const bytes = new TextEncoder().encode("a message\nof two lines\u0000");
  expect(hexLines(bytes)).toBe(
    [
      "00000000  61 20 6d 65 73 73 61 67 65 0a 6f 66 20 74 77 6f  a message·of two",
      "00000010  20 6c 69 6e 65 73 00                              lines·",
    ].join("\n"),
  );
  expect(hexLines(new Uint8Array())).toBe("");
});
