import type { Actor } from "../domain/actor.ts";
import { answerOf, unreachable } from "./client.ts";

/** Who an office takes somebody for, and until when. */
export interface SignedIn {
  readonly actor: Pick<Actor, "id" | "kind" | "roles"> | null;
  readonly expiresAt: string | null;
}

/** Whom the office knows by this token or session. */
export async function whoIs(url: string, secret: string): Promise<SignedIn> {
  return (await authRequest(url, "session", { headers: { authorization: `Bearer ${secret}` } })) as SignedIn;
}

/** Trades the code that a browser brought for a session. */
export async function redeemCode(
  url: string,
  body: { readonly code: string; readonly verifier: string },
): Promise<{ readonly session: string }> {
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify(body) };
  return (await authRequest(url, "terminal/session", request)) as { readonly session: string };
}

/** Lets somebody in where a demonstration runs, as it does whoever opens it in a browser; null where an office is none. */
export async function enterDemo(url: string): Promise<{ readonly person: string; readonly session: string } | null> {
  const headers = { origin: new URL(url).origin, "content-type": "application/json", "x-dlo-csrf": "1" };
  const response = await authResponse(url, "demo", { method: "POST", headers, body: "{}" });
  const session = /=([^;]+)/.exec(response.headers.get("set-cookie") ?? "")?.[1];
  if (!response.ok || session === undefined) return null;
  const { name } = (await response.json()) as { readonly name: string };
  return { person: name, session };
}

/** Ends a session at its office; of a token it ends nothing. */
export async function endSession(url: string, secret: string): Promise<void> {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  await authRequest(url, "sign-out", { method: "POST", headers, body: "{}" });
}

async function authRequest(url: string, path: string, request: RequestInit): Promise<unknown> {
  return answerOf(await authResponse(url, path, request));
}

async function authResponse(url: string, path: string, request: RequestInit): Promise<Response> {
  return fetch(`${url}/auth/${path}`, { ...request, redirect: "error" }).catch((error: unknown) => {
    throw unreachable(url, error);
  });
}
