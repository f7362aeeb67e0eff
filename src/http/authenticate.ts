import type { IncomingHttpHeaders } from "node:http";
import type { Actor } from "../domain/actor.ts";
import { OfficeError } from "../domain/errors.ts";
import type { Reception } from "../office/people/reception.ts";
import type { PublicAddress } from "./public-address.ts";

/** What a request brings to say who it is from. */
export interface Credentials {
  /** A session's id: from its cookie, or from a terminal that signed in. */
  readonly session: string | null;
  readonly token: string | null;
  /** It stands in `Authorization`, where no page of somebody else can make a browser put it. */
  readonly isSent: boolean;
}

/** Null where there is none of that name, or nothing in it. */
export function cookieIn({ cookie = "" }: IncomingHttpHeaders, cookieName: string): string | null {
  const pair = cookie
    .split(/; */)
    .map((each) => each.split("="))
    .find(([name]) => name === cookieName);
  return pair?.[1] || null;
}

export function credentialsOf(headers: IncomingHttpHeaders, cookieName: string): Credentials {
  const sent = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  if (sent === undefined) return { session: cookieIn(headers, cookieName), token: null, isSent: false };
  return sent.startsWith("dlo_")
    ? { session: null, token: sent, isSent: true }
    : { session: sent, token: null, isSent: true };
}

/** Who asks, and until when they may without signing in again; null for whom the office does not know. */
export async function knownBy(
  { session, token }: Credentials,
  reception: Reception,
  isRequest = true,
): Promise<KnownCaller | null> {
  if (token !== null) {
    const actor = await reception.byToken(token);
    return actor === null ? null : { actor, expiresAt: null };
  }
  return session === null ? null : reception.bySession(session, isRequest);
}

export interface KnownCaller {
  readonly actor: Actor;
  /** Of a session; a token's owner knows its own. */
  readonly expiresAt: string | null;
}

/** Refuses whom the office does not know. What is sent is meant, whatever cookie comes with it. */
export async function requireActor(credentials: Credentials, reception: Reception, isRequest = true): Promise<Actor> {
  const known = await knownBy(credentials, reception, isRequest);
  if (known !== null) return known.actor;
  throw notSignedIn();
}

export function notSignedIn(): OfficeError {
  return new OfficeError("NOT_SIGNED_IN", "The office does not know who asks.", {
    details: { hint: "Sign in, or send a token: Authorization: Bearer dlo_…" },
  });
}

/** Refuses what is meant for another name, as a page does whose own name was pointed at this machine. */
export function requireOwnHost({ host }: IncomingHttpHeaders, { hosts, origin }: PublicAddress): void {
  if (host !== undefined && hosts.includes(host.toLowerCase())) return;
  throw refused(`This office is not at ${host ?? "an address without a Host"}. Call it by ${origin}.`);
}

/**
 * Refuses what a page of somebody else could make a browser send with our cookie. What stands in `Authorization` is not sent by itself, so there
 * only an Origin that is not ours is refused.
 */
export function requireOwnPage(
  headers: IncomingHttpHeaders,
  { origins, origin }: PublicAddress,
  isSent: boolean,
): void {
  const { origin: from } = headers;
  if (from !== undefined && !origins.includes(from)) throw refused(`A page of ${from} may not ask this of the office.`);
  if (isSent) return;
  if (from === undefined) throw refused(`The request must say its Origin, which is ${origin}; or come with a token.`);
  if (headers["x-dlo-csrf"] === undefined) throw refused("The request lacks the header x-dlo-csrf. Send it with 1.");
}

function refused(sentence: string): OfficeError {
  return new OfficeError("REQUEST_REFUSED", sentence);
}
