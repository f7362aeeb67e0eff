import type { Contexts } from "../../config/contexts.ts";
import { OfficeError } from "../../domain/errors.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { switchFlag, textFlag } from "../flags.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { officeAddress, readCredential } from "./credentials.ts";
import { contextsFile, dataFolder } from "./user-files.ts";
import { officeFlags, whichOffice } from "./which-office.ts";

/** Loaded when it is needed: other commands must not wait for a YAML parser. */
const contextFiles = () => import("../../config/contexts.ts");

export const contextListCommand = command({
  name: "context list",
  summary: "the offices you have names for",
  examples: [{ line: "dlo context", about: "all; the one in use has a star" }],
  flags: {},

  async run({ json }, { env, print, note, terminal }) {
    const { contexts, current } = await readOwn(env);
    const items = await Promise.all(
      contexts.map(async ({ name, server }) => ({
        ...{ name, server, isCurrent: name === current },
        person: (await readCredential(env, server))?.person ?? null,
      })),
    );
    if (json) print(JSON.stringify({ items, next: null }));
    else if (items.length > 0) {
      const rows = items.map(({ name, server, isCurrent, person }) => [
        ...[isCurrent ? "*" : "", name, visible(server), person ?? "not signed in"],
      ]);
      const titles = ["", "CONTEXT", "SERVER", "AS"];
      print(
        table(
          titles.map((title) => ({ title, align: "left" as const })),
          rows,
          terminal,
        ),
      );
    }
    if (items.length === 0) note("You have none. Add one: dlo context add NAME --server URL");
    return exit.done;
  },
});

const contextOperand = { placeholder: "NAME", about: "the context's name", required: true } as const;

export const contextAddCommand = command({
  name: "context add",
  summary: "gives an office a name",
  examples: [{ line: "dlo context add production --server https://dlo.example", about: "and `dlo context use` it" }],
  operand: contextOperand,
  flags: { server: textFlag({ placeholder: "URL", about: "where the office is" }) },

  async run({ operand, server, json }, { env, print }) {
    if (!URL.canParse(server)) throw new OfficeError("INVALID_OPTION", "`--server` must be a URL: https://dlo.example");
    const name = operand ?? "";
    const { contexts, ...rest } = await readOwn(env);
    const others = contexts.filter((each) => each.name !== name);
    await writeOwn(env, { ...rest, contexts: [...others, { name, server: officeAddress(server) }] });
    print(json ? JSON.stringify({ name, server }) : `${name} is ${server}.`);
    return exit.done;
  },
});

export const contextUseCommand = command({
  name: "context use",
  summary: "lets commands ask this office where nothing else is said",
  examples: [
    { line: "dlo context use production", about: "from now on" },
    { line: "dlo context use -", about: "none: the office that runs here" },
  ],
  operand: { ...contextOperand, placeholder: "CONTEXT|-" },
  flags: {},

  async run({ operand, json }, { env, print }) {
    const contexts = await readOwn(env);
    const current = operand === "-" ? null : (operand ?? null);
    const server = current === null ? null : (await contextFiles()).serverOf(contexts, current);
    await writeOwn(env, { ...contexts, current });
    print(
      json ? JSON.stringify({ current, server }) : current === null ? "No context is in use." : `${current}: ${server}`,
    );
    return exit.done;
  },
});

export const contextCurrentCommand = command({
  name: "context current",
  summary: "the name of the context in use, for a prompt; nothing where there is none",
  examples: [{ line: "PS1='$(dlo context current) \\$ '", about: "in your shell's settings" }],
  flags: { context: officeFlags.context, config: officeFlags.config },

  async run({ json, ...values }, { env, print }) {
    const where = await whichOffice({ ...values, server: "", database: "" }, { env });
    const current = where.kind === "server" ? (where.context?.value ?? null) : null;
    if (json) print(JSON.stringify({ current }));
    else if (current !== null) print(current);
    return exit.done;
  },
});

export const contextShowCommand = command({
  name: "context show",
  summary: "which office commands ask here, and who said so",
  examples: [{ line: "dlo context show --origin", about: "each value, and where it comes from" }],
  flags: { ...officeFlags, origin: switchFlag("where each value comes from") },

  async run({ origin, json, ...values }, { env, print, terminal }) {
    const where = await whichOffice(values, { env });
    const credential = where.kind === "server" ? await readCredential(env, where.url.value) : null;
    const said: readonly Line[] =
      where.kind === "server"
        ? [
            ["server", where.url.value, where.url.origin],
            ["context", where.context?.value ?? null, where.context?.origin ?? "nobody names one"],
            ["as", credential?.person ?? null, credential === null ? "nobody is signed in: dlo login" : "dlo login"],
          ]
        : [
            ["server", null, where.why],
            ["data", dataFolder(env), env.DLO_DATA ? "DLO_DATA" : "the default"],
          ];
    if (json)
      print(JSON.stringify({ items: said.map(([name, value, from]) => ({ name, value, origin: from })), next: null }));
    else {
      const shown = said.map(([name, value, from]) => [
        name,
        visible(value ?? "-"),
        ...(origin ? [visible(from)] : []),
      ]);
      const titles = ["", "VALUE", ...(origin ? ["FROM"] : [])];
      print(
        table(
          titles.map((title) => ({ title, align: "left" as const })),
          shown,
          terminal,
        ),
      );
    }
    return exit.done;
  },
});

type Line = readonly [name: string, value: string | null, origin: string];

async function readOwn(env: Parameters<typeof contextsFile>[0]): Promise<Contexts> {
  return (await contextFiles()).readContexts(contextsFile(env));
}

async function writeOwn(env: Parameters<typeof contextsFile>[0], contexts: Contexts): Promise<void> {
  await (await contextFiles()).writeContexts(contextsFile(env), contexts);
}
