import { homedir } from "node:os";
import { join } from "node:path";
import type { OpenedOffice } from "../../compose.ts";
import type { Actor } from "../../domain/actor.ts";
import type { Context } from "../command.ts";
import { textFlag, type ValuesOf } from "../flags.ts";

/** What every command on the ledger takes. */
export const ledgerFlags = {
  database: textFlag({
    placeholder: "URL",
    about: "the ledger's PostgreSQL; else DATABASE_URL, else the configuration's, else one in your data folder",
  }),
  config: textFlag({
    placeholder: "FILE",
    about: "the configuration; else DLO_CONFIG, else dlo.config.yaml here or further up",
  }),
  as: textFlag({ placeholder: "NAME", about: "who you are, for the audit log; else your user name" }),
};

export type LedgerValues = ValuesOf<typeof ledgerFlags>;

export interface AtWork extends OpenedOffice {
  readonly actor: Actor;
}

/** Opens the office for one command, and closes it whatever happens. */
export async function withOffice(
  values: LedgerValues,
  context: Context,
  work: (office: AtWork) => Promise<number>,
): Promise<number> {
  const opened = await officeAt(values, context);
  try {
    return await work({ ...opened, actor: actorOf(values.as, context.env) });
  } finally {
    await opened.close();
  }
}

/** The office that flags and environment name. */
export async function officeAt(
  { database, config }: Pick<LedgerValues, "database" | "config">,
  { env, version }: Context,
): Promise<OpenedOffice> {
  // Loaded only now: databases and dialects would slow down every other command.
  const { openOffice } = await import("../../compose.ts");
  return openOffice({
    databaseUrl: database || env.DATABASE_URL || null,
    dataFolder: dataFolder(env),
    configFile: config || env.DLO_CONFIG || null,
    env,
    version,
  });
}

export function dataFolder(env: Context["env"]): string {
  return env.DLO_DATA || join(env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "dlo");
}

/** Whoever has the database can do anything with it: no role would keep them from it. */
function actorOf(name: string, env: Context["env"]): Actor {
  return { id: name || env.USER || env.USERNAME || "somebody", roles: ["admin"], kind: "human" };
}
