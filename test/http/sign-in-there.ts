import type { LightMyRequestResponse } from "fastify";
import type { OidcOptions } from "../../src/domain/identity.ts";
import { oidcIssuer } from "../../src/outbound/oidc/issuer.ts";
import { systemClock } from "../../src/system/host.ts";
import type { OidcProvider } from "../servers/oidc-provider.ts";
import { type Credentials, signInAt } from "../servers/sign-in-at.ts";
import { origin, type TestServer } from "./open-server.ts";

/** As the configuration has it where only the address, the client and its secret are given. */
export function oidcOptions(
  { issuer, client }: Pick<OidcProvider, "issuer" | "client">,
  more: Partial<OidcOptions> = {},
): OidcOptions {
  return {
    issuer,
    clientId: client.id,
    clientSecret: async () => client.secret,
    privateKey: null,
    keyId: null,
    clientAuth: null,
    scopes: null,
    rolesClaim: "groups",
    nameClaim: "preferred_username",
    ca: null,
    signOut: "provider",
    ...more,
  };
}

export function issuerAt(there: Pick<OidcProvider, "issuer" | "client">, more: Partial<OidcOptions> = {}) {
  return oidcIssuer({ options: oidcOptions(there, more), allow: [], clock: systemClock });
}

/** What a browser keeps, by name. */
export type CookieJar = Map<string, string>;

export const cookieHeader = (jar: CookieJar): string => [...jar].map((pair) => pair.join("=")).join("; ");

function keepCookies(jar: CookieJar, lines: readonly string[]): void {
  for (const line of lines) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === "") jar.delete(name);
    else jar.set(name, value);
  }
}

const setCookies = ({ headers }: Pick<LightMyRequestResponse, "headers">) => [headers["set-cookie"] ?? []].flat();

/** Where the provider leads back to, after someone signed in there with any password. */
export function signInThere(
  start: string,
  username: string,
  { from = origin, ...more }: Partial<Credentials> & { readonly from?: string } = {},
): Promise<string> {
  return signInAt(start, { username, password: "any", ...more }, from);
}

export interface CameBack {
  readonly back: LightMyRequestResponse;
  readonly cookie: string;
  readonly actor: { readonly id: string; readonly roles: readonly string[] } | null;
  /** What the page says where no one was signed in. */
  readonly refused: string;
}

/** One browser of someone: what it keeps, and what it does at the server. */
export function browserAt(server: TestServer, from = origin) {
  const jar: CookieJar = new Map();
  return {
    jar,
    /** Gives where the server sends the browser. */
    async begin(to = "/letters?q=x", more: object = {}): Promise<string> {
      const begun = await server.fromPage(cookieHeader(jar), "/auth/oidc", { to, ...more });
      keepCookies(jar, setCookies(begun));
      return begun.json<{ url?: string }>().url ?? "";
    },
    async comeBack(way: string): Promise<CameBack> {
      const back = await server.request({ url: way.slice(from.length), headers: { cookie: cookieHeader(jar) } });
      keepCookies(jar, setCookies(back));
      return { back, ...(await this.session()) };
    },
    async session(): Promise<Omit<CameBack, "back">> {
      const cookie = cookieHeader(jar);
      const session = await server.request({ url: "/auth/session", headers: { cookie } });
      const { actor, refused } = session.json<{ actor: CameBack["actor"]; refused?: string | null }>();
      return { cookie, actor, refused: refused ?? "" };
    },
    async signIn(account: string, more: Partial<Credentials> = {}): Promise<CameBack> {
      return this.comeBack(await signInThere(await this.begin(), account, { from, ...more }));
    },
  };
}
