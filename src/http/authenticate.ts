import type { IncomingHttpHeaders } from "node:http";
import type { Actor } from "../domain/actor.ts";
import { OfficeError } from "../domain/errors.ts";
import type { Reception } from "../office/people/reception.ts";
import type { PublicAddress } from "./public-address.ts";

/** What a request brings to say who it is from. */
export interface Credentials {
  /** A session's id, from its cookie. */
  readonly session: string | null;
  /** From `Authorization: Bearer`. */
  readonly token: string | null;
}

export function credentialsOf(
  { cookie = "", authorization = "" }: IncomingHttpHeaders,
  cookieName: string,
): Credentials {
  const pair = cookie
    .split(/; */)
    .map((each) => each.split("="))
    .find(([name]) => name === cookieName);
  return { session: pair?.[1] || null, token: /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null };
}

/** Who asks; refuses whom the office does not know. A token that is sent is meant, whatever cookie comes with it. */
export async function requireActor(
  { session, token }: Credentials,
  reception: Reception,
  isRequest = true,
): Promise<Actor> {
  const actor =
    token !== null
      ? await reception.byToken(token)
      : session !== null
        ? ((await reception.bySession(session, isRequest))?.actor ?? null)
        : null;
  if (actor !== null) return actor;
  throw new OfficeError("NOT_SIGNED_IN", "The office does not know who asks.", {
    details: { hint: "Sign in, or send a token: Authorization: Bearer dlo_…" },
  });
}

/** Refuses what is meant for another name, as a page does whose own name was pointed at this machine. */
export function requireOwnHost({ host }: IncomingHttpHeaders, { hosts, origin }: PublicAddress): void {
  if (host !== undefined && hosts.includes(host.toLowerCase())) return;
  throw refused(`This office is not at ${host ?? "an address without a Host"}. Call it by ${origin}.`);
}

/**
 * Refuses what a page of somebody else could make a browser send with our cookie. A token is not sent by itself, so with one
 * only an Origin that is not ours is refused.
 */
export function requireOwnPage(
  headers: IncomingHttpHeaders,
  { origins, origin }: PublicAddress,
  byToken: boolean,
): void {
  const { origin: from } = headers;
  if (from !== undefined && !origins.includes(from)) throw refused(`A page of ${from} may not ask this of the office.`);
  if (byToken) return;
  if (from === undefined) throw refused(`The request must say its Origin, which is ${origin}; or come with a token.`);
  if (headers["x-dlo-csrf"] === undefined) throw refused("The request lacks the header x-dlo-csrf. Send it with 1.");
}

function refused(sentence: string): OfficeError {
  return new OfficeError("REQUEST_REFUSED", sentence);
}
