import type { Command } from "../../src/cli/command.ts";
import { commandTable } from "../../src/cli/commands.ts";
import { exit, exitCodes, exitMeanings } from "../../src/cli/exit-codes.ts";
import type { Flags } from "../../src/cli/flags.ts";
import { globalFlags } from "../../src/cli/global-flags.ts";
import type { ErrorCode } from "../../src/domain/errors.ts";
import { publicCodes } from "../../src/domain/public-codes.ts";
import { code, table } from "./markdown-table.ts";

/** Every command of `dlo`, from the table that the program itself goes by. */
export function commandPages(): string {
  const groups = new Map(Object.entries(commandTable.groups).map(([name, about]) => [`${name} `, about]));
  const sections = commandTable.commands.map((command) => {
    const [group, about] = [...groups].find(([prefix]) => command.name.startsWith(prefix)) ?? [];
    if (group !== undefined) groups.delete(group);
    const heading = group === undefined ? "" : `## dlo ${group.trim()}\n\n${sentence(about ?? "")}\n\n`;
    return heading + commandPage(command);
  });
  return [...sections, `## Options of every command\n\n${flagTable(globalFlags)}`].join("\n\n");
}

function commandPage({ name, summary, examples, details = [], operand, flags, inLines = false }: Command): string {
  const level = name.includes(" ") ? "###" : "##";
  const lines = examples.map(({ line, about }) => `# ${about}\n${line.startsWith("dlo ") ? "npx " : ""}${line}`);
  const parts = [
    `${level} dlo ${name}`,
    sentence(summary),
    `\`\`\`sh\n${lines.join("\n")}\n\`\`\``,
    ...details,
    ...(inLines ? ["With `--json` it says a document a line."] : []),
    ...(operand === undefined ? [] : [`${code(operand.placeholder)}: ${operand.about}.`]),
    ...(Object.keys(flags).length === 0 ? [] : [flagTable(flags)]),
  ];
  return parts.join("\n\n");
}

function flagTable(flags: Flags): string {
  const rows = Object.entries(flags).map(([name, { short, placeholder, about, shownDefault }]) => [
    code(`--${name}${placeholder === "" ? "" : ` ${placeholder}`}`) +
      (short === undefined ? "" : `, ${code(`-${short}`)}`),
    about,
    shownDefault,
  ]);
  return table(["option", "what", "default"], rows);
}

/** What a shell is told, in numbers. */
export function exitTable(): string {
  const rows = Object.entries(exit).map(([name, status]) => [
    String(status),
    exitMeanings[name as keyof typeof exit],
    Object.keys(exitCodes)
      .filter((error) => exitCodes[error as ErrorCode] === status)
      .map(code)
      .join(", "),
  ]);
  return table(["exit code", "meaning", "error codes"], rows);
}

/** How the command line spells the library's error codes in JSON. */
export function publicCodeTable(): string {
  const rows = Object.entries(publicCodes).map(([error, name]) => [code(error), code(name)]);
  return table(["error code", "`error.code` with `--json`"], rows);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}`;
}
