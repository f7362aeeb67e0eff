import { OfficeError } from "../../domain/errors.ts";
import { type Ask, officeClient } from "../../http/client.ts";
import type { Context } from "../command.ts";
import { credentialAt } from "./credential-at.ts";
import { type Credential, officeAddress } from "./credentials.ts";

/** Asks an office with what was stored for it, and only for it. */
export async function remoteOffice(url: string, { env, signal }: Pick<Context, "env" | "signal">): Promise<Ask> {
  const credential = await credentialAt(env, url);
  if (credential === null) throw notSignedIn(url);
  const ask = officeClient({ url: officeAddress(url), token: credential.secret });
  return (name, input, options) => ask(name, input, { signal, ...options }).catch(explained(url, credential));
}

function explained(url: string, { expiresAt }: Credential) {
  return (error: unknown): never => {
    if (error instanceof OfficeError && error.code === "NOT_SIGNED_IN") throw notSignedIn(url, expiresAt);
    throw error;
  };
}

function notSignedIn(url: string, expiresAt?: string | null): OfficeError {
  const what = expiresAt === undefined ? "You are not signed in at" : "What you signed in with is over at";
  return new OfficeError("NOT_SIGNED_IN", `${what} ${officeAddress(url)}.`, {
    details: { hint: `Sign in: dlo login --server ${officeAddress(url)}` },
  });
}
