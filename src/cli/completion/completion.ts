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
    summary: "makes your shell complete commands and options of dlo",
    examples: [
      { line: 'eval "$(dlo completion bash)"', about: "in ~/.bashrc" },
      { line: 'eval "$(dlo completion zsh)"', about: "in ~/.zshrc, after compinit" },
      { line: "dlo completion fish | source", about: "in ~/.config/fish/config.fish" },
    ],
    operand: { placeholder: "SHELL", about: shells.join(", "), required: true },
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
