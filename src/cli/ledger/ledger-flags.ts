import type { OfficeSettings, OpenedOffice } from "../../compose.ts";
import type { Actor } from "../../domain/actor.ts";
import { within } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { Ask } from "../../http/client.ts";
import type { Context } from "../command.ts";
import { officeAddress } from "../connection/credentials.ts";
import { remoteOffice } from "../connection/remote-office.ts";
import { dataFolder } from "../connection/user-files.ts";
import { type OfficeValues, officeFlags, whichOffice } from "../connection/which-office.ts";
import { askingWithWholeIds } from "../connection/whole-ids.ts";
import { durationFlag, optional, textFlag, type ValuesOf } from "../flags.ts";

/** What every command on the ledger takes. */
export const ledgerFlags = {
  ...officeFlags,
  timeout: optional(
    durationFlag({ about: "how long a server may take to answer", default: "30s", min: "100ms", max: "1h" }),
    "as long as it takes",
  ),
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
    const url = where.url.value;
    const remote = await remoteOffice(url, context);
    const timely: Ask = (name, input, options) =>
      inTime(values.timeout, context, url, (signal) =>
        remote(name, input, { ...(signal === null ? {} : { signal }), ...options }),
      );
    return work({ ask: askingWithWholeIds(timely, officeAddress(url)), place: url, here: null });
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

/** Each answer by itself: a command that watches, or goes through many pages, may go on for longer. */
function inTime<Answer>(
  limitMs: number | null,
  { clock, signal }: Context,
  url: string,
  ask: (signal: AbortSignal | null) => Promise<Answer>,
): Promise<Answer> {
  if (limitMs === null) return ask(null);
  const late = new AbortController();
  return within(clock, limitMs, ask(AbortSignal.any([signal, late.signal])), () => {
    late.abort();
    throw new OfficeError("SERVER_UNAVAILABLE", `The office at ${url} did not answer within ${limitMs / 1_000} s.`);
  });
}

interface PlaceValues extends Pick<OfficeValues, "database" | "config"> {
  /** Where it will listen. @default where the configuration says */
  readonly listen?: string;
}

/** The office that flags and environment name, in this process. */
export async function officeAt(values: PlaceValues, context: Context): Promise<OpenedOffice> {
  // Loaded only now: databases and dialects would slow down every other command.
  const { openOffice } = await import("../../compose.ts");
  return openOffice(settingsOf(values, context));
}

export function settingsOf({ database, config, listen = "" }: PlaceValues, { env, version }: Context): OfficeSettings {
  return {
    databaseUrl: database || env.DATABASE_URL || null,
    dataFolder: dataFolder(env),
    configFile: config || env.DLO_CONFIG || null,
    env,
    version,
    listen,
  };
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
