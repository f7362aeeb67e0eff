import { describe, expect, it } from "vitest";
import { terminalOf } from "./terminal.ts";

const screen = { write() {}, isTTY: true, columns: 120 };
const file = { write() {} };
const utf8 = { LANG: "en_GB.UTF-8" };

describe("terminalOf", () => {
  it("uses the width of the terminal, else COLUMNS, else 80, and never less than 40", () => {
    expect(terminalOf(screen, utf8).columns).toBe(120);
    expect(terminalOf(file, { COLUMNS: "66" }).columns).toBe(66);
    expect(terminalOf(file, { COLUMNS: "wide" }).columns).toBe(80);
    expect(terminalOf(file, {}).columns).toBe(80);
    expect(terminalOf({ ...screen, columns: 10 }, {}).columns).toBe(40);
  });

  it.each([
    ["a terminal", screen, {}, {}, true],
    ["a file", file, {}, {}, false],
    ["a terminal with NO_COLOR", screen, { NO_COLOR: "1" }, {}, false],
    ["a terminal with an empty NO_COLOR", screen, { NO_COLOR: "" }, {}, true],
    ["a terminal with CLICOLOR=0", screen, { CLICOLOR: "0" }, {}, false],
    ["a terminal that is dumb", screen, { TERM: "dumb" }, {}, false],
    ["a terminal with --no-color", screen, {}, { noColor: true }, false],
    ["a file with FORCE_COLOR", file, { FORCE_COLOR: "1" }, {}, true],
    ["a file with CLICOLOR_FORCE=0", file, { CLICOLOR_FORCE: "0" }, {}, false],
    ["a file with FORCE_COLOR and NO_COLOR", file, { FORCE_COLOR: "1", NO_COLOR: "1" }, {}, false],
  ])("%s: colours as wanted", (_what, output, env, options, color) => {
    const terminal = terminalOf(output, env, options);
    expect(terminal.color).toBe(color);
    expect(terminal.paint("red", "x")).toBe(color ? "\u001b[31mx\u001b[39m" : "x");
  });

  it.each([
    [{ LANG: "en_US.UTF-8" }, true],
    [{ LC_ALL: "C", LANG: "en_US.UTF-8" }, false],
    [{ LC_CTYPE: "C.utf8" }, true],
    [{ LANG: "de_DE.ISO-8859-1" }, false],
    [{}, false],
    [{ WT_SESSION: "1" }, true],
    [{ LANG: "en_US.UTF-8", TERM: "linux" }, false],
    [{ LANG: "en_US.UTF-8", TERM: "dumb" }, false],
  ])("%j: block and braille characters only where they arrive", (env, unicode) => {
    expect(terminalOf(screen, env).unicode).toBe(unicode);
  });
});
