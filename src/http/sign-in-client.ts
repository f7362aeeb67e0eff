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

/** Ends a session at its office; of a token it ends nothing. */
export async function endSession(url: string, secret: string): Promise<void> {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  await authRequest(url, "sign-out", { method: "POST", headers, body: "{}" });
}

async function authRequest(url: string, path: string, request: RequestInit): Promise<unknown> {
  const response = await fetch(`${url}/auth/${path}`, { ...request, redirect: "error" }).catch((error: unknown) => {
    throw unreachable(url, error);
  });
  return answerOf(response);
}
