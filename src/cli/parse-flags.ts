import { parseArgs } from "node:util";
import { nearestName } from "../domain/options.ts";
import type { Operand, OperandValue } from "./command.ts";
import { UsageError } from "./failure.ts";
import type { Flag, Flags, ValuesOf } from "./flags.ts";

/** Reads what follows a command's name. Refuses what it does not know, with the nearest thing it does. */
export function parseFlags<Given extends Flags>(
  args: readonly string[],
  flags: Given,
  expected?: Operand,
): ValuesOf<Given> & OperandValue {
  const values = Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, flag.default]));
  const words: string[] = [];
  for (const token of tokensOf(args, flags)) {
    if (token.kind === "positional") {
      if (expected === undefined || words.length >= (expected.most ?? 1))
        throw new UsageError("unexpected_value", `\`${token.value}\` is not expected here.`);
      words.push(token.value);
    } else if (token.kind === "option") {
      const flag = knownFlag(token.rawName, token.name, flags);
      const given = givenValue(token, flag);
      values[token.name] = flag.repeats ? [values[token.name], given].flat() : given;
    }
  }
  if (expected?.required && words.length === 0)
    throw new UsageError("missing_value", `${expected.placeholder} is missing: ${expected.about}.`);
  // Each value came from the flag of its name, by its default or by its parse.
  return { ...(values as ValuesOf<Given>), operand: words.length === 0 ? null : words.join(" ") };
}

interface OptionToken {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function tokensOf(args: readonly string[], flags: Flags) {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { takesValue, short }]) => [
      name,
      { type: takesValue ? ("string" as const) : ("boolean" as const), ...(short === undefined ? {} : { short }) },
    ]),
  );
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

/** What other programs have, and what to do here instead. */
const notHere: Readonly<Record<string, string>> = {
  jq: "Pipe it into jq: add --json, and `| jq EXPRESSION`. `--json=id,queue` has only these fields.",
  yes: "Nothing is asked here: what sends or decides for many wants --expect-count, with the number you saw.",
  wait: "`dlo replay watch` follows a replay until it ends; 8 is the exit code of one that waits for approval.",
  watch: "`dlo replay run` follows what it starts, `dlo replay watch` what another started.",
  verbose: "`dlo api` shows what an office answers, `dlo context show --origin` which office is asked and why.",
};

function knownFlag(rawName: string, name: string, flags: Flags): Flag<unknown> {
  const flag = flags[name];
  if (flag !== undefined && Object.hasOwn(flags, name)) return flag;
  const nearest = nearestName(name, Object.keys(flags));
  const guess = nearest === undefined ? undefined : `Did you mean \`--${nearest}\`?`;
  const hint = Object.hasOwn(notHere, name) ? notHere[name] : guess;
  throw new UsageError("unknown_option", `\`${rawName}\` is not an option here.`, hint);
}

/** In `--trials --json` the second is no value of the first, but `--seed -1` deserves to hear about its bound. */
function isFlag(text: string, { takesDash = false }: Flag<unknown>): boolean {
  return takesDash ? /^(?:--[a-z][\w-]*(?:=.*)?|-[a-zA-Z])$/s.test(text) : /^-\D/.test(text);
}

function givenValue(token: OptionToken, flag: Flag<unknown>): unknown {
  if (!flag.takesValue) {
    if (token.value !== undefined) throw new UsageError("unexpected_value", `\`${token.rawName}\` takes no value.`);
    return flag.parse("", token.rawName);
  }
  const isNextFlag = token.inlineValue === false && isFlag(token.value ?? "", flag);
  if (token.value === undefined || isNextFlag) {
    const shown = flag.shownDefault === "" ? "" : `, such as ${token.rawName} ${flag.shownDefault}`;
    throw new UsageError("missing_value", `\`${token.rawName}\` needs a value${shown}.`);
  }
  return flag.parse(token.value, token.rawName);
}
