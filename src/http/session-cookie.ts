import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply } from "fastify";
import { cookieIn } from "./authenticate.ts";
import type { PublicAddress } from "./public-address.ts";

export interface CookieParts {
  readonly address: PublicAddress;
  /** Of the session's; the others begin with it. */
  readonly cookieName: string;
}

/**
 * The session cookie is named after the public address: all processes behind it know the cookie by that name, and servers with
 * other ports or paths on the same host, which browsers send it to as well, don't. Over https a browser takes the name only
 * from this host by https (`__Secure-`), and without a base path not from pages below another path either (`__Host-`).
 */
export function sessionCookieName({ origin, basePath, isSecure }: PublicAddress): string {
  const digest = createHash("sha256").update(`${origin}${basePath}`).digest("hex");
  const prefix = !isSecure ? "" : basePath === "" ? "__Host-" : "__Secure-";
  return `${prefix}dlo_${digest.slice(0, 12)}`;
}

interface CookieLine {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly isSecure: boolean;
  /** In seconds; null until the browser ends. */
  readonly maxAgeS: number | null;
}

/** Lax, so that a link from a pager finds people signed in. Never readable by a script. */
export function cookieLine({ name, value, path, isSecure, maxAgeS }: CookieLine): string {
  const parts = [`${name}=${value}`, `Path=${path || "/"}`, "HttpOnly", "SameSite=Lax"];
  if (isSecure) parts.push("Secure");
  if (maxAgeS !== null) parts.push(`Max-Age=${maxAgeS}`);
  return parts.join("; ");
}

/** The session's; null takes it away. */
export function setCookie(reply: FastifyReply, { address, cookieName }: CookieParts, id: string | null): void {
  const { basePath: path, isSecure } = address;
  const line = cookieLine({ name: cookieName, value: id ?? "", path, isSecure, maxAgeS: id === null ? 0 : null });
  void reply.header("set-cookie", line);
}

const refusalS = 60;
/** Browsers take cookies of 4 kB at most. */
const longestRefusal = 1_500;

/** Why nobody was signed in, for the page that the browser is led to. */
export function refusalCookie({ address, cookieName }: CookieParts, why: string): string {
  const { basePath: path, isSecure } = address;
  const value = Buffer.from(why.slice(0, longestRefusal)).toString("base64url");
  return cookieLine({ name: `${cookieName}_refused`, value, path, isSecure, maxAgeS: refusalS });
}

export function refusalIn(headers: IncomingHttpHeaders, cookieName: string): string | null {
  const value = cookieIn(headers, `${cookieName}_refused`);
  return value === null ? null : Buffer.from(value, "base64url").toString();
}
