import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandTable } from "../commands.ts";
import { choicesOf } from "./choices.ts";
import { completionScript, type Shell, shells } from "./scripts.ts";

const places = choicesOf(commandTable);

/** A folder with a `dlo` that tells what it was asked, and offers two groups and a name that a shell must not run. */
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dlo-completion-"));
  const told = ['printf "grp_1A\\tTimeoutError\\ngrp_1B\\tRangeError\\n"', `printf '%s\\n' '$(touch '"$0"'-ran)'`];
  const dlo = `#!/bin/sh\nprintf '%s\\n' "$*" >>"$0.asked"\n${told.join("\n")}\n`;
  writeFileSync(join(folder, "dlo"), dlo, { mode: 0o755 });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function asked(): readonly string[] {
  const lines = execFileSync("sh", ["-c", 'cat "$0" 2>/dev/null; rm -f "$0"', join(folder, "dlo.asked")]);
  return String(lines).trimEnd().split("\n");
}

interface Tab {
  /** How bash splits the line into words. */
  readonly words?: readonly string[];
  /** What is only listed comes with what it is. @default 9, the first Tab */
  readonly type?: number;
}

/** What bash offers for a line that ends where the cursor is. */
function offered(line: string, { words = `dlo ${line}`.split(" "), type = 9 }: Tab = {}): readonly string[] {
  const quoted = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ");
  const script = `${completionScript("bash", places)}
    COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; COMP_TYPE=${type}; COLUMNS=40
    COMP_LINE="dlo $1"; COMP_POINT=\${#COMP_LINE}; _dlo 2>&1; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const printed = execFileSync("bash", ["-c", script, "bash", line], { encoding: "utf8", env });
  return printed.split("\n").filter((word) => word !== "");
}

describe("completion", () => {
  it("offers every command and every option there is, in all shells", () => {
    for (const shell of shells) {
      const script = completionScript(shell, places);
      for (const { name, flags } of commandTable.commands) {
        for (const word of name.split(" ")) expect(script).toContain(word);
        for (const flag of Object.keys(flags)) expect(script).toContain(shell === "fish" ? `-l ${flag}` : `--${flag}`);
      }
    }
  });

  it("goes on in bash from what is typed: a group, its verbs, a verb's options, an option's values", () => {
    expect(offered("repl")).toEqual(["replay"]);
    expect(offered("replay pl")).toEqual(["plan"]);
    expect(offered("replay plan --ra")).toEqual(["--rate", "--ramp"]);
    expect(offered("replay items rpl_1 --decision sk")).toEqual(["skip"]);
    expect(offered("letters show ltr_1 --da")).toEqual(["--database"]);
    expect(offered("letter ltr_1 --da")).toEqual(["--database"]);
    expect(offered("demo run")).toEqual(["runtime"]);
    expect(offered("inbox ")).toContain("--server");
    expect(offered("alerts set x --when gro")).toEqual(["growing"]);
    expect(offered("completion f")).toEqual(["fish"]);
    expect(offered("-c prod --server http://x replay pl")).toEqual(["plan"]);
    expect(offered("--serv")).toEqual(["--server"]);
    expect(offered("letters drop --reason ")).toEqual([]);
  });

  it("names what every operand and value is, or that it can be anything", () => {
    const anything = new Set(
      commandTable.commands.flatMap(({ name, operand, flags }) => {
        const place = places.find(({ after }) => after === name);
        const open = Object.entries(flags).filter(
          ([flag]) => place?.options.find(({ spellings }) => spellings[0] === `--${flag}`)?.value === "-",
        );
        const operands = place?.operand?.value === "-" && operand !== undefined ? [operand.placeholder] : [];
        return [...operands, ...open.map(([, { placeholder }]) => placeholder)];
      }),
    );
    expect([...anything].sort()).toMatchInlineSnapshot(`
      [
        "-",
        "/PATH=VALUE",
        "ACTION",
        "ADDRESS:PORT",
        "BUDGET",
        "CEL",
        "CODE",
        "CODE[,CODE...]",
        "COMMIT",
        "HASH",
        "HEADER|/POINTER",
        "ID",
        "JSON|@FILE",
        "LETTER|PLACE",
        "N",
        "NAME",
        "NAME=QUEUE",
        "NAME=VALUE",
        "NAME@N[,NAME@N...]",
        "NAME[,NAME...]",
        "NEXT",
        "NOTIFIER",
        "N[,N...]",
        "N|TIME",
        "N|all",
        "PATTERN[=MODE]",
        "SERVICE@VERSION",
        "SOURCE|URL",
        "TAG",
        "TEXT",
        "TIME",
        "URL",
        "VERSION",
        "WHO",
        "[METHOD] PATH",
      ]
    `);
    expect(new Set(places.map(({ after }) => after)).size).toBe(places.length);
  });

  it("offers replays that the command can do something with", () => {
    const wanted = (after: string) => places.find((place) => place.after === after)?.operand?.value;
    expect(wanted("replay resume")).toBe("REPLAY:paused,halted");
    expect(wanted("replay pause")).toBe("REPLAY:running,settling");
    expect(wanted("replay show")).toBe("REPLAY");
  });
});

describe("what an office knows, in bash", () => {
  it("is asked for with the line, and offered as it is: nothing in it is run", () => {
    const names = ["grp_1A", "grp_1B", `$(touch ${join(folder, "dlo")}-ran)`];
    expect(offered("groups show grp_")).toEqual(names);
    expect(asked()).toEqual(["__complete GROUP groups show =grp_"]);
    expect(offered("groups merge grp_1A --into ")).toEqual(names);
    expect(asked()).toEqual(["__complete GROUP groups merge grp_1A --into ="]);
    expect(execFileSync("ls", [folder], { encoding: "utf8" }).trim()).toBe("dlo");
  });

  it("is offered with what it is, cut to the line, where it is only listed", () => {
    expect(offered("groups show ", { type: 63 }).slice(0, 2)).toEqual(["grp_1A  TimeoutError", "grp_1B  RangeError"]);
  });

  it("goes on behind a colon or within quotes, however bash splits the words", () => {
    asked();
    offered("letters -q group:grp_", { words: ["dlo", "letters", "-q", "group", ":", "grp_"] });
    offered("letters -q 'queue:orders group:g", { words: ["dlo", "letters", "-q", "'queue:orders group:g"] });
    offered("letters --view=ca", { words: ["dlo", "letters", "--view", "=", "ca"] });
    expect(asked()).toEqual([
      "__complete QUERY letters -q =group:grp_",
      "__complete QUERY letters -q =queue:orders group:g",
      "__complete VIEW letters =ca",
    ]);
  });
});

describe("the other shells", () => {
  const has = (shell: Shell) => spawnSync(shell, ["--version"]).error === undefined;

  it.skipIf(!has("zsh"))("are understood by zsh (skipped where it is not installed: apt-get install zsh)", () => {
    const { stderr } = spawnSync("zsh", ["-n"], { input: completionScript("zsh", places), encoding: "utf8" });
    expect(stderr).toBe("");
  });

  it.skipIf(!has("fish"))("offer in fish, too (skipped where it is not installed: apt-get install fish)", () => {
    const file = join(folder, "dlo.fish");
    writeFileSync(file, completionScript("fish", places));
    const env = { ...process.env, HOME: folder, PATH: `${folder}:${process.env.PATH}` };
    const complete = (line: string) =>
      execFileSync("fish", ["-c", 'source $argv[1]; complete -C "$argv[2]"', file, line], { encoding: "utf8", env })
        .trimEnd()
        .split("\n");
    expect(complete("dlo repl")).toEqual([`replay\t${commandTable.groups.replay}`]);
    expect(complete("dlo -c prod replay resu")[0]).toContain("resume\t");
    expect(complete("dlo groups show grp_")).toEqual(["grp_1A\tTimeoutError", "grp_1B\tRangeError"]);
    expect(complete("dlo letters -q 'group:g")).toEqual([""]);
    expect(complete("dlo letters --output js")).toEqual(["json\thow it is written", "jsonl\thow it is written"]);
    expect(asked().slice(-1)).toEqual(["__complete QUERY letters -q =group:g"]);
  });
});
