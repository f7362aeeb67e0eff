import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactly, inUrl, jsonArgument, quoted } from "./pasteable.ts";

const hostile = [
  "it's",
  "$(touch x)",
  "`x`",
  'a"b',
  "a\\b",
  "a b",
  "-rf",
  "é",
  "日本",
  "a;b|c&d",
  "%41",
  "'; rm -rf / #",
];

describe("what is pasted into a shell", () => {
  it("is one word for the shell, whatever a queue is called", () => {
    const words = hostile.flatMap((name) => [
      quoted(name),
      `'${inUrl(name)}'`,
      jsonArgument({ name }),
      `'${exactly(name)}'`,
    ]);
    const printed = execFileSync("sh", ["-c", `printf '%s\\n' ${words.join(" ")}`], { encoding: "utf8" })
      .trimEnd()
      .split("\n");
    const wanted = hostile.flatMap((name) => [
      name,
      inUrl(name),
      JSON.stringify({ name }).replaceAll("'", "\\u0027"),
      exactly(name),
    ]);
    expect(printed).toEqual(wanted);
  });

  it("says exactly what was meant, and has nothing in it that a terminal obeys", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary-ascii" }), (one, other) => {
        const name = one + other;
        expect(decodeURIComponent(inUrl(name))).toBe(name);
        expect(JSON.parse(jsonArgument(name).slice(1, -1))).toBe(name);
        expect(inUrl(name) + jsonArgument(name) + exactly(name) + quoted(name)).not.toMatch(/[\p{Cc}]/u);
      }),
    );
  });

  it("has a pattern for that name and no other", () => {
    expect(
      hostile.map((name) =>
        new RegExp(
          exactly(name)
            .replaceAll(/\\x\{(\w+)\}/g, "\\u{$1}")
            .replaceAll(/\\(?=[^A-Za-z0-9^$\\.*+?()[\]{}|/u])/g, ""),
          "u",
        ).test(name),
      ),
    ).toEqual(hostile.map(() => true));
    expect(exactly("a.b")).toBe("^a\\.b$");
  });
});
