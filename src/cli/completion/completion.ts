import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import type { CommandTable } from "../find-command.ts";
import { choicesOf } from "./choices.ts";
import { completionScript, shells } from "./scripts.ts";

/** The table is given late: this command is in it. */
export function completionCommand(table: () => CommandTable) {
  return command({
    name: "completion",
    summary: "makes your shell complete commands, options, and the names of what an office has",
    examples: [
      { line: 'eval "$(dlo completion bash)"', about: "in ~/.bashrc" },
      { line: 'eval "$(dlo completion zsh)"', about: "in ~/.zshrc, after compinit" },
      { line: "dlo completion fish | source", about: "in ~/.config/fish/config.fish" },
      { line: "dlo completion powershell | Out-String | Invoke-Expression", about: "in the file that $PROFILE names" },
    ],
    details: [
      "Commands and options are in the script and there at once. Contexts, queues, groups, letters, replays that the command can do " +
        "something with, views, and the fields and values of searches are asked for while you type, at the office that the line " +
        "means: it must be running and know you (dlo login). What it says is kept for 30 s. An office that takes longer than " +
        "300 ms, or is away, offers nothing. Nor is a name that a shell would read as more than a name.",
    ],
    operand: { placeholder: "SHELL", of: shells, about: shells.join(", "), required: true },
    flags: {},

    async run({ operand, json }, { print }) {
      const shell = shells.find((each) => each === operand);
      if (shell === undefined)
        throw new UsageError("unexpected_value", `Which shell is \`${operand}\`? It can be ${shells.join(", ")}.`);
      const script = completionScript(shell, choicesOf(table()));
      print(json ? JSON.stringify({ shell, script }) : script);
      return exit.done;
    },
  });
}
