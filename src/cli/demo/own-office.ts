import type { OpenedOffice } from "../../compose.ts";
import { isOfficeError } from "../../domain/errors.ts";
import { hasCode } from "../../domain/has-code.ts";
import type { ServingOffice } from "../../http/serve.ts";
import type { OwnOffice } from "../../http/sign-in-routes.ts";
import { askHolder } from "../../system/folder-lock.ts";
import type { Context } from "../command.ts";
import { dataFolder } from "../connection/user-files.ts";
import { officeAt } from "../ledger/ledger-flags.ts";
import { openDoors } from "../server/up.ts";

/** The office for real brokers beside a demonstration, with the ledger that `dlo up` has. */
export interface BesideDemo {
  /** Opens it, or finds the one that is open; gives where it is. */
  open(): Promise<OwnOffice>;
  close(): Promise<void>;
}

interface Opened {
  readonly office: OpenedOffice;
  readonly serving: ServingOffice;
  readonly answer: OwnOffice;
}

const firstPort = 7718;
const portsTried = 20;

export function besideDemo(context: Context): BesideDemo {
  let opening: Promise<Opened | OwnOffice> | null = null;
  return {
    async open() {
      opening ??= openBeside(context);
      opening.catch(() => {
        opening = null;
      });
      const opened = await opening;
      return "answer" in opened ? opened.answer : opened;
    },
    async close() {
      const opened = await opening?.catch(() => null);
      if (opened === null || opened === undefined || !("office" in opened)) return;
      await opened.serving.close();
      await opened.office.close();
    },
  };
}

async function openBeside(context: Context): Promise<Opened | OwnOffice> {
  const folder = dataFolder(context.env);
  const office = await officeAt({ database: "", config: "" }, context).catch(async (error: unknown) => {
    const url = isOfficeError(error, "LEDGER_IN_USE") ? await askHolder(folder) : null;
    if (!url) throw error;
    return { url, setup: null };
  });
  if ("url" in office) return office;
  try {
    const { serving, setup } = await atFreePort(office, context);
    await office.startWork();
    return { office, serving, answer: { url: serving.url, setup } };
  } catch (error) {
    await office.close();
    throw error;
  }
}

/** Where the configuration says, else at the first port behind the demonstration's that nobody has. */
async function atFreePort(office: OpenedOffice, context: Context): ReturnType<typeof openDoors> {
  const given = office.config?.office.listen;
  for (let port = firstPort; ; port++) {
    const listen = given === undefined || given.endsWith(":7717") ? `127.0.0.1:${port}` : given;
    try {
      return await openDoors(office, { listen, json: false }, context);
    } catch (error) {
      if (!isPortTaken(error) || listen === given || port >= firstPort + portsTried) throw error;
    }
  }
}

function isPortTaken(error: unknown): boolean {
  const cause = isOfficeError(error) ? error.cause : error;
  return hasCode(cause, "EADDRINUSE");
}
