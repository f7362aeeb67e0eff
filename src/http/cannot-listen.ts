import { OfficeError } from "../domain/errors.ts";
import type { ListenAddress } from "./public-address.ts";

const problems: Readonly<Record<string, string>> = {
  EADDRINUSE: "Something listens there already",
  EACCES: "The system does not allow it",
  EADDRNOTAVAIL: "This machine has no such address",
};

/** What to say of a port that could not be opened; `flag` is the one that names another. */
export function cannotListen({ host, port }: ListenAddress, error: unknown, flag: string): unknown {
  const why = error instanceof Error && "code" in error ? problems[String(error.code)] : undefined;
  if (why === undefined) return error;
  return new OfficeError("INVALID_OPTION", `The office cannot listen on ${host}:${port}. ${why}.`, {
    cause: error,
    details: { hint: `Choose another place with ${flag} 127.0.0.1:PORT.` },
  });
}
