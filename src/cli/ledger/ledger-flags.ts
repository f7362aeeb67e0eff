import type { OpenedOffice } from "../../compose.ts";
import type { Actor } from "../../domain/actor.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { Ask } from "../../http/client.ts";
import type { Context } from "../command.ts";
import { officeAddress } from "../connection/credentials.ts";
import { remoteOffice } from "../connection/remote-office.ts";
import { dataFolder } from "../connection/user-files.ts";
import { type OfficeValues, officeFlags, whichOffice } from "../connection/which-office.ts";
import { askingWithWholeIds } from "../connection/whole-ids.ts";
import { textFlag, type ValuesOf } from "../flags.ts";

/** What every command on the ledger takes. */
export const ledgerFlags = {
  ...officeFlags,
  as: textFlag({ placeholder: "NAME", about: "without a server: who you are, for the audit log; else your user name" }),
};

export type LedgerValues = ValuesOf<typeof ledgerFlags>;

/** An office at hand, wherever it runs. */
export interface AtWork {
  /** Asks for one of the table of operations; who asks is known. */
  readonly ask: Ask;
  /** Where it is, in words. */
  readonly place: string;
  /** The office where it runs in this process; null where a server was asked. */
  readonly here: (OpenedOffice & { readonly actor: Actor }) | null;
}

/** Finds the office for one command, and lets go of it whatever happens. */
export async function withOffice<Result = number>(
  values: LedgerValues,
  context: Context,
  work: (office: AtWork) => Promise<Result>,
): Promise<Result> {
  const where = await whichOffice(values, context);
  if (where.kind === "server") {
    if (values.as !== "") throw knownAnyway(where.url.value);
    const ask = askingWithWholeIds(await remoteOffice(where.url.value, context), officeAddress(where.url.value));
    return work({ ask, place: where.url.value, here: null });
  }
  const opened = await officeAt(values, context);
  try {
    const actor = actorOf(values.as, context.env);
    const ask: Ask = (name, input) => opened.call(name, actor, input);
    return await work({ ask: askingWithWholeIds(ask, null), place: opened.place, here: { ...opened, actor } });
  } finally {
    await opened.close();
  }
}

/** The office that flags and environment name, in this process. */
export async function officeAt(
  { database, config }: Pick<OfficeValues, "database" | "config">,
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

/** Whoever has the database can do anything with it: no role would keep them from it. */
function actorOf(name: string, env: Context["env"]): Actor {
  return { id: name || env.USER || env.USERNAME || "somebody", roles: ["admin"], kind: "human" };
}

function knownAnyway(url: string): OfficeError {
  return new OfficeError(
    "INVALID_OPTION",
    `\`--as\` is for a ledger without a server. The office at ${url} knows who you are: dlo whoami.`,
  );
}
