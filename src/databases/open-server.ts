import type { Database } from "../domain/database.ts";
import { OfficeError } from "../domain/errors.ts";
import { type OpenPg, openPg } from "./open-pg.ts";

/** Connections at once: two to write, the rest to read meanwhile. */
const connections = 4;
const limitMs = 60_000;

/** Refuses at once where nobody answers. Never shows the address, which may hold a password. */
export async function openServer(url: string): Promise<OpenPg> {
  requirePostgresAddress(url);
  const opened = await openPg(url, { connections, limitMs });
  try {
    await opened.database.query("select 1", []);
    return opened;
  } catch (error) {
    await opened.close();
    const reason = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
    const why = reason instanceof Error ? reason.message : String(reason);
    throw new OfficeError("STORE_UNAVAILABLE", `${placeOf(url)} did not answer: ${why}.`, {
      cause: error,
      details: { hint: whoNamedIt },
    });
  }
}

const whoNamedIt =
  "Its address is what --database says, else DATABASE_URL, else ledger.url of the configuration. Without any of them the ledger is embedded.";

/** Anything else would be taken for the name of a host. A socket's address begins with a slash, or says so. */
function requirePostgresAddress(url: string): void {
  if (/^(postgres(ql)?:\/\/|socket:|\/)/i.test(url)) return;
  throw new OfficeError("INVALID_OPTION", "The ledger's address must begin with postgres://, and it does not.", {
    details: { hint: whoNamedIt },
  });
}

/** Does something that may take long, over a connection of its own that waits for it. */
export async function patiently<Result>(url: string, work: (database: Database) => Promise<Result>): Promise<Result> {
  const { database, close } = await openPg(url, { limitMs, isPatient: true });
  try {
    return await work(database);
  } finally {
    await close();
  }
}

/** Where it is, without name and password. */
export function placeOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `PostgreSQL ${host}${pathname}`;
  } catch {
    return "PostgreSQL";
  }
}
