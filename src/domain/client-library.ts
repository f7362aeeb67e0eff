import { OfficeError } from "./errors.ts";

/** Loads a client that is only there if somebody installed it; says what to install if it is not. */
export async function loadClient<Client>(what: string, name: string, load: () => Promise<Client>): Promise<Client> {
  try {
    return await load();
  } catch (error) {
    throw new OfficeError("MISSING_CLIENT_LIBRARY", `${what} needs the package ${name}: npm install ${name}`, {
      details: { package: name },
      cause: error,
    });
  }
}
