import { publicAddress } from "../../src/http/public-address.ts";
import { sessionCookieName } from "../../src/http/session-cookie.ts";

/** The cookie of a session as a process on that port knows it: of a server without a public address each has its own. */
export function cookieAt(port: number, cookie: string): string {
  const name = sessionCookieName(publicAddress(null, { host: "127.0.0.1", port }));
  return cookie.replace(/^[^=]+/, name);
}
