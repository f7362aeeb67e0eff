import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply } from "fastify";
import { cookieIn } from "./authenticate.ts";
import type { PublicAddress } from "./public-address.ts";

/** Whose cookies they are: they ignore ports, so the name has the port in it. */
export interface CookieParts {
  readonly address: PublicAddress;
  readonly cookieName: string;
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

/** Why nobody was signed in, for the page that the browser is led to. */
export function refusalCookie({ address, cookieName }: CookieParts, why: string): string {
  const { basePath: path, isSecure } = address;
  const value = Buffer.from(why).toString("base64url");
  return cookieLine({ name: `${cookieName}_refused`, value, path, isSecure, maxAgeS: refusalS });
}

export function refusalIn(headers: IncomingHttpHeaders, cookieName: string): string | null {
  const value = cookieIn(headers, `${cookieName}_refused`);
  return value === null ? null : Buffer.from(value, "base64url").toString();
}
