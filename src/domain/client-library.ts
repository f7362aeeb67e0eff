import { OfficeError } from "./errors.ts";
import { hasCode } from "./has-code.ts";

/** Loads a client that is only there if somebody installed it; says what to install, and where, if it is not. */
export async function loadClient<Client>(what: string, name: string, load: () => Promise<Client>): Promise<Client> {
  try {
    return await load();
  } catch (error) {
    throw new OfficeError("MISSING_CLIENT_LIBRARY", `${what} needs the package ${name}${remedyFor(name, error)}`, {
      details: { package: name },
      cause: error,
    });
  }
}

/** A package that is there and cannot be loaded is not mended by installing it where it is not. */
function remedyFor(name: string, error: unknown): string {
  const isMissing = hasCode(error, "ERR_MODULE_NOT_FOUND");
  const install = `npm install ${name}`;
  if (isMissing) return `: ${install} (with -g if dead-letter-office was installed so)`;
  const why = error instanceof Error ? error.message : String(error);
  return `, which is there and cannot be loaded: ${why}. Install it anew: ${install}`;
}
