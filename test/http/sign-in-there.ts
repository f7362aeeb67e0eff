import type { LightMyRequestResponse } from "fastify";
import type { OidcOptions } from "../../src/domain/identity.ts";
import { oidcIssuer } from "../../src/outbound/oidc/issuer.ts";
import { systemClock } from "../../src/system/host.ts";
import type { OidcProvider } from "../servers/oidc-provider.ts";
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

/** Goes to the provider as a browser does, signs in there with an account, and gives the way back. `says` answers a page of it. */
export async function signInThere(start: string, account: string, says = answerTo): Promise<string> {
  const jar: CookieJar = new Map();
  let at = start;
  let form: URLSearchParams | null = null;
  for (let step = 0; step < 12 && !at.startsWith(origin); step++) {
    const how = form === null ? {} : { method: "POST", body: form };
    const response: Response = await fetch(at, { ...how, redirect: "manual", headers: { cookie: cookieHeader(jar) } });
    keepCookies(jar, response.headers.getSetCookie());
    const page = await response.text();
    const next = response.headers.get("location") ?? says(page, account).next;
    form = response.headers.has("location") ? null : says(page, account).form;
    at = new URL(next, at).href;
  }
  return at;
}

/** What someone does on the provider's page: a form that is sent, or a link that is followed. */
export interface PageAnswer {
  readonly next: string;
  readonly form: URLSearchParams | null;
}

/** Signs in with any password, and consents. */
function answerTo(page: string, account: string): PageAnswer {
  const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? "";
  const form = new URLSearchParams(prompt === "login" ? { prompt, login: account, password: "any" } : { prompt });
  return { next: /action="([^"]+)"/.exec(page)?.[1] ?? "", form };
}

/** Signs in, and then refuses to consent. */
export function refuseConsent(page: string, account: string): PageAnswer {
  const abort = /href="([^"]*\/abort)"/.exec(page)?.[1] ?? "";
  return page.includes('value="consent"') ? { next: abort, form: null } : answerTo(page, account);
}

export interface CameBack {
  readonly back: LightMyRequestResponse;
  readonly cookie: string;
  readonly actor: { readonly id: string; readonly roles: readonly string[] } | null;
  /** What the page says where no one was signed in. */
  readonly refused: string;
}

/** One browser of someone: what it keeps, and what it does at the server. */
export function browserAt(server: TestServer) {
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
      const back = await server.request({ url: way.slice(origin.length), headers: { cookie: cookieHeader(jar) } });
      keepCookies(jar, setCookies(back));
      return { back, ...(await this.session()) };
    },
    async session(): Promise<Omit<CameBack, "back">> {
      const cookie = cookieHeader(jar);
      const session = await server.request({ url: "/auth/session", headers: { cookie } });
      const { actor, refused } = session.json<{ actor: CameBack["actor"]; refused?: string | null }>();
      return { cookie, actor, refused: refused ?? "" };
    },
    async signIn(account: string, says = answerTo): Promise<CameBack> {
      return this.comeBack(await signInThere(await this.begin(), account, says));
    },
  };
}
