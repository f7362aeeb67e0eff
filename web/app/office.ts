import type { Environment } from "../../src/domain/environment.ts";
import { type Ask, officeClient } from "../../src/http/client.ts";
import { fetchAndHear } from "./office-clock.ts";

/** The path everything lies under; empty at the root. The server writes it into the page. */
export const basePath = document.querySelector<HTMLMetaElement>('meta[name="dlo-base"]')?.content ?? "";

/** Every question the pages ask goes through here, typed from the table of operations. */
export const ask: Ask = officeClient({ url: basePath, fetch: fetchAndHear });

export interface Session {
  readonly actor: { readonly id: string; readonly roles: readonly string[] } | null;
  readonly expiresAt: string | null;
  /** Operations that may be asked for. */
  readonly may: readonly string[];
  /** Everything here is made up, and whoever comes is let in. */
  readonly isDemo: boolean;
  /** Which of several offices this is; null where nobody says. */
  readonly environment: Environment | null;
  /** How people come in: with a password, or from elsewhere, which is named. */
  readonly signIn: { readonly passwords: boolean; readonly elsewhere: string | null };
  /** Why nobody was signed in a moment ago. */
  readonly refused?: string | null;
}

async function readSession(): Promise<Session> {
  const response = await fetchAndHear(`${basePath}/auth/session`);
  return (await response.json()) as Session;
}

/** Who is here. A demonstration knows everybody who opens it. */
export async function enter(): Promise<Session> {
  const session = await readSession();
  if (session.actor !== null || !session.isDemo) return session;
  await postAuth("demo", {});
  return readSession();
}

export interface Refused {
  readonly message: string;
  readonly hint: string | null;
  /** The office's own, where it was the office that refused. */
  readonly code?: string;
  /** The same as in the server's log. */
  readonly id?: string;
}

export type AuthPath = "sign-in" | "setup" | "demo" | "demo/reset";

/** Signs in or up; null when it went well. */
export async function postAuth(what: AuthPath, body: object): Promise<Refused | null> {
  const response = await authRequest(what, body);
  return response?.ok ? null : refusedBy(response);
}

/** Where the browser goes to sign in elsewhere, which leads back to `to`. */
export async function beginElsewhere(to: string, anotherAccount: boolean): Promise<Refused | { readonly url: string }> {
  const response = await authRequest("oidc", { to, anotherAccount });
  return response?.ok ? ((await response.json()) as { readonly url: string }) : refusedBy(response);
}

/** Signs out here; where the provider has a page to sign out, the browser goes there. */
export async function signOut(): Promise<void> {
  const response = await authRequest("sign-out", {});
  const { elsewhere = null } = response?.ok ? ((await response.json()) as { readonly elsewhere: string | null }) : {};
  if (elsewhere === null) location.reload();
  else location.assign(elsewhere);
}

/** The code that a terminal waits for, which made this challenge. */
export async function allowTerminal(challenge: string): Promise<Refused | { readonly code: string }> {
  const response = await authRequest("terminal/allow", { challenge });
  return response?.ok ? ((await response.json()) as { readonly code: string }) : refusedBy(response);
}

export interface OwnOffice {
  readonly url: string;
  /** Where the way to its first admin is, in words; null where there is an admin. */
  readonly setup: string | null;
}

/** Opens an office for real brokers, beside the demonstration. */
export async function openOwnOffice(): Promise<Refused | OwnOffice> {
  const response = await authRequest("demo/connect", {});
  return response?.ok ? ((await response.json()) as OwnOffice) : refusedBy(response);
}

function authRequest(what: string, body: object): Promise<Response | null> {
  return fetch(`${basePath}/auth/${what}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-dlo-csrf": "1" },
    body: JSON.stringify(body),
  }).catch(() => null);
}

async function refusedBy(response: Response | null): Promise<Refused> {
  const answer = (await response?.json().catch(() => null)) as { readonly error?: Refused } | null | undefined;
  return answer?.error ?? { message: "The office does not answer. Nothing was changed.", hint: null };
}
