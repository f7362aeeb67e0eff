import { OfficeError } from "../../domain/errors.ts";
import { askHolder } from "../../system/folder-lock.ts";
import type { Context } from "../command.ts";
import { textFlag, type ValuesOf } from "../flags.ts";
import { contextsFile, dataFolder, demoFolder } from "./user-files.ts";

/** Which office a command speaks to. */
export const officeFlags = {
  server: textFlag({
    placeholder: "URL",
    about: "the office to ask; else DLO_SERVER, else a context's, else one here",
  }),
  context: {
    ...textFlag({
      placeholder: "CONTEXT",
      about: "one of your contexts; else DLO_CONTEXT, else the project's, else yours",
    }),
    short: "c",
  },
  database: textFlag({
    placeholder: "URL",
    about:
      "without a server: its PostgreSQL; else DATABASE_URL, else the configuration's, else one in your data folder",
  }),
  config: textFlag({
    placeholder: "FILE",
    about: "the configuration; else DLO_CONFIG, else dlo.config.yaml here or further up",
  }),
};

export type OfficeValues = ValuesOf<typeof officeFlags>;

/** Said, and by whom: `--server`, `DLO_CONTEXT`, a file. */
export interface Said {
  readonly value: string;
  readonly origin: string;
}

/** Where the office is that a command speaks to. */
export type Whereabouts =
  | { readonly kind: "server"; readonly url: Said; readonly context: Said | null }
  /** In this process, on a ledger of its own. */
  | { readonly kind: "here"; readonly why: string };

/**
 * The nearest word holds: a flag, the environment, the project's file, the user's own, and last an office that has the
 * embedded ledger open: one of one's own, else, where no project brings sources of its own, a demonstration. A project's file
 * names a context and never an address: what is stored for one office must not be sent to wherever a folder somebody cloned says.
 */
export async function whichOffice(values: OfficeValues, { env }: Pick<Context, "env">): Promise<Whereabouts> {
  if (values.server !== "" && values.database !== "") throw bothNamed();
  if (values.server !== "") return server({ value: values.server, origin: "--server" });
  if (values.database !== "") return { kind: "here", why: "--database" };
  if (values.context !== "") return byContext({ value: values.context, origin: "--context" }, env);
  if (env.DLO_SERVER) return server({ value: env.DLO_SERVER, origin: "DLO_SERVER" });
  if (env.DLO_CONTEXT) return byContext({ value: env.DLO_CONTEXT, origin: "DLO_CONTEXT" }, env);
  if (env.DATABASE_URL) return { kind: "here", why: "DATABASE_URL" };
  const project = await projectFile(values, env);
  const named = (await byProject(project, env)) ?? (await byOwnChoice(env));
  if (named !== null) return named;
  const folder = dataFolder(env);
  return (
    (await byHolder(folder)) ??
    (project === null ? await byHolder(demoFolder(env)) : null) ?? {
      kind: "here",
      why: "no server is named, and none has the ledger here open",
    }
  );
}

/** What the office says that has a folder's ledger open. */
async function byHolder(folder: string): Promise<Whereabouts | null> {
  const url = await askHolder(folder);
  return url === null || url === "" ? null : server({ value: url, origin: `the office that has ${folder} open` });
}

async function projectFile({ config }: OfficeValues, env: Context["env"]): Promise<string | null> {
  // Loaded when it is needed: a YAML parser and a schema take a while.
  const { findConfig } = await import("../../config/config-file.ts");
  return config || env.DLO_CONFIG || ((await findConfig(".")) ?? null);
}

async function byProject(file: string | null, env: Context["env"]): Promise<Whereabouts | null> {
  if (file === null) return null;
  const { readConfig } = await import("../../config/config-file.ts");
  const { context, ledger } = (await readConfig(file)).config;
  if (context !== null) return byContext({ value: context, origin: file }, env);
  return ledger.url === undefined ? null : { kind: "here", why: `ledger.url in ${file}` };
}

async function byOwnChoice(env: Context["env"]): Promise<Whereabouts | null> {
  const { readContexts } = await import("../../config/contexts.ts");
  const { current } = await readContexts(contextsFile(env));
  return current === null ? null : byContext({ value: current, origin: contextsFile(env) }, env);
}

async function byContext(context: Said, env: Context["env"]): Promise<Whereabouts> {
  const { readContexts, serverOf } = await import("../../config/contexts.ts");
  const url = serverOf(await readContexts(contextsFile(env)), context.value);
  return server({ value: url, origin: `context ${context.value} in ${contextsFile(env)}` }, context);
}

function server(url: Said, context: Said | null = null): Whereabouts {
  if (URL.canParse(url.value) && /^https?:/.test(url.value)) return { kind: "server", url, context };
  throw new OfficeError("INVALID_OPTION", `${url.origin} must be a URL, such as http://127.0.0.1:7717.`);
}

function bothNamed(): OfficeError {
  return new OfficeError(
    "INVALID_OPTION",
    "`--server` asks an office that runs, and `--database` opens its ledger here. Give one of them.",
  );
}
