import { isOfficeError, OfficeError } from "../domain/errors.ts";

/** Nothing there, or nothing that answers. */
export function unreachable(what: string, why: string, remedy: string, cause?: unknown): OfficeError {
  return new OfficeError("TRANSPORT_UNAVAILABLE", `${what} cannot be reached: ${why}. ${remedy}`, { cause });
}

/** Somebody is there and says no. */
export function accessRefused(what: string, remedy: string): OfficeError {
  return new OfficeError("ACCESS_REFUSED", `${what} refuses the name or the password. ${remedy}`);
}

/** An address that is none. It is not quoted: there may be a password in it. */
export function parseAddress(key: "url" | "management", text: string, schemes: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && schemes.includes(url.protocol.slice(0, -1))) return url;
  const form = schemes.map((scheme) => `${scheme}://…`).join(" or ");
  throw new OfficeError("INVALID_CONFIG", `\`${key}\` must be an address of the form ${form}.`, { details: { key } });
}

/** What a failed connection says of itself: the system's code where there is one, never the whole message. */
export function reasonOf(error: unknown): string {
  const causes: unknown[] = [];
  for (let each = error; each instanceof Error && causes.length < 5; each = each.cause) causes.push(each);
  // No code comes with an answer that is not HTTP: mostly the port is the broker's own.
  if (causes.some((each) => each instanceof Error && each.name === "HTTPParserError"))
    return "something else answers there";
  const codes = causes.flatMap((each) =>
    each instanceof Error && !isOfficeError(each) && "code" in each && typeof each.code === "string" ? [each.code] : [],
  );
  const code = codes.find((each) => !each.startsWith("UND_ERR")) ?? codes[0];
  return code === undefined ? "it does not answer" : (sentences[code] ?? code);
}

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there (ECONNREFUSED)",
  ENOTFOUND: "there is no such host (ENOTFOUND)",
  EAI_AGAIN: "its name cannot be looked up at the moment (EAI_AGAIN)",
  ECONNRESET: "it closed the connection (ECONNRESET)",
  UND_ERR_SOCKET: "it closed the connection",
  ETIMEDOUT: "it does not answer (ETIMEDOUT)",
  EHOSTUNREACH: "there is no way to it (EHOSTUNREACH)",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed; name its authority in NODE_EXTRA_CA_CERTS",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate's authority is not known; name it in NODE_EXTRA_CA_CERTS",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate's authority is not known; name it in NODE_EXTRA_CA_CERTS",
  CERT_HAS_EXPIRED: "its certificate has expired",
};

/** SQLSTATE classes 28 (who are you) and 42501 (you may not), and 3D000 (no such database). */
export function refusedByPostgres(error: unknown, host: string): OfficeError {
  if (isOfficeError(error)) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const what = `PostgreSQL at ${host}`;
  if (code.startsWith("28")) return accessRefused(what, "Check the user and the password in `url`, and pg_hba.conf.");
  if (code === "42501") return accessRefused(what, "Grant the user the right to read.");
  const why = code === "3D000" ? "it has no such database" : reasonOf(error);
  return unreachable(what, why, "Check the host, the port and the name of the database in `url`.", error);
}
