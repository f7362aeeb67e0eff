import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { commandTable } from "../commands.ts";
import { choicesOf } from "./choices.ts";
import { completionScript, shells } from "./scripts.ts";

const places = choicesOf(commandTable);

/** What bash offers for a line that ends with the last of these words. */
function offered(...words: readonly string[]): readonly string[] {
  const line = ["dlo", ...words].map((word) => `'${word}'`).join(" ");
  const script = `${completionScript("bash", places)}
    COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _dlo; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const printed = execFileSync("bash", ["-c", script], { encoding: "utf8" });
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
    expect(offered("replay", "pl")).toEqual(["plan"]);
    expect(offered("replay", "plan", "--ra")).toEqual(["--rate", "--ramp"]);
    expect(offered("replay", "items", "rpl_1", "--decision", "sk")).toEqual(["skip"]);
    expect(offered("letters", "show", "ltr_1", "--da")).toEqual(["--database"]);
    expect(offered("letter", "ltr_1", "--da")).toEqual(["--database"]);
    expect(offered("demo", "run")).toEqual(["runtime"]);
  });
});
