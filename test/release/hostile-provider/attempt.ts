import { isOfficeError } from "../../../src/domain/errors.ts";
import type { ServerFailure } from "../../../src/http/error-answer.ts";
import type { TestServer, TestServerOptions } from "../../http/open-server.ts";
import { issuerAt } from "../../http/sign-in-there.ts";
import { freePort } from "../../servers/server-process.ts";
import type { Behavior, HostileProvider } from "./provider.ts";

/** A trick, and what is to come of it. */
export interface Trick {
  /** As the README lists it. */
  readonly name: string;
  readonly behavior?: Behavior;
  /** What someone does with the way back, in place of following it once. */
  readonly walk?: (browser: HttpBrowser, way: string) => Promise<void>;
  /** What the page says to who was refused; null where the provider may say so, and someone is signed in as `person`. */
  readonly refusal: RegExp | null;
  /** Who is signed in, and with which roles; only where there is no refusal. @default ana, operator */
  readonly person?: RegExp;
}

/** What someone sees after they came back. */
export interface Outcome {
  readonly person: { readonly id: string; readonly roles: readonly string[] } | null;
  readonly refused: string;
  readonly failures: readonly string[];
  readonly tookMs: number;
  /** How much more memory the process had at its height, in megabytes. */
  readonly grewMb: number;
}

/** Any browser: it keeps cookies by name and follows what it is told to. */
export interface HttpBrowser {
  readonly cookies: Map<string, string>;
  /** Presses "Sign in with …", and gives the address at the provider. */
  begin(to?: string): Promise<string>;
  /** Goes there, and gives where it leads. */
  follow(address: string): Promise<string>;
  session(): Promise<Pick<Outcome, "person" | "refused">>;
}

export function httpBrowser(url: string): HttpBrowser {
  const cookies = new Map<string, string>();
  const ask = async (address: string, options: RequestInit = {}) => {
    const own = address.startsWith(`${url}/`);
    const cookie = own ? [...cookies].map((pair) => pair.join("=")).join("; ") : "";
    const headers = { ...options.headers, ...(cookie === "" ? {} : { cookie }) };
    const response = await fetch(address, { ...options, redirect: "manual", headers });
    for (const line of own ? response.headers.getSetCookie() : []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  return {
    cookies,
    async begin(to = "/letters") {
      const headers = { origin: url, "x-dlo-csrf": "1", "content-type": "application/json" };
      const response = await ask(`${url}/auth/oidc`, { method: "POST", headers, body: JSON.stringify({ to }) });
      const body = (await response.json()) as { readonly url?: string; readonly error?: { readonly message: string } };
      if (body.url === undefined) throw new NotBegun(body.error?.message ?? JSON.stringify(body));
      return body.url;
    },
    async follow(address) {
      const response = await ask(address);
      await response.arrayBuffer();
      return new URL(response.headers.get("location") ?? address, address).href;
    },
    async session() {
      const response = await ask(`${url}/auth/session`);
      const { actor, refused } = (await response.json()) as { actor: Outcome["person"]; refused?: string | null };
      return { person: actor, refused: refused ?? "" };
    },
  };
}

/** The browser never left: the page says why. */
class NotBegun extends Error {}

/** Plays a trick on a server that hasn't heard of the provider before. */
export async function attempt(
  open: (options: TestServerOptions) => Promise<TestServer>,
  provider: HostileProvider,
  { behavior = {}, walk = once }: Pick<Trick, "behavior" | "walk">,
  options: TestServerOptions = {},
): Promise<Outcome> {
  provider.behave(behavior);
  const port = await freePort();
  const server = await open({ port, issuer: issuerAt(provider), ...options });
  const close = await server.listen();
  const browser = httpBrowser(`http://127.0.0.1:${port}`);
  const memory = watchMemory();
  const began = performance.now();
  try {
    const refused = await browser
      .begin()
      .then((way) => walk(browser, way))
      .then(() => null)
      .catch((error: unknown) => {
        if (error instanceof NotBegun) return error.message;
        throw error;
      });
    const tookMs = performance.now() - began;
    const seen = await browser.session();
    const failures = server.failures.map(codeOf);
    return { ...seen, refused: refused ?? seen.refused, failures, tookMs, grewMb: memory.stop() };
  } finally {
    await close();
  }
}

async function once(browser: HttpBrowser, way: string): Promise<void> {
  await browser.follow(await browser.follow(way));
}

function codeOf({ error }: ServerFailure): string {
  return isOfficeError(error) ? error.code : String(error);
}

const lookEveryMs = 25;

/** Looks at this process, in which the server runs; whatever the provider sends is in another's memory or is made bit by bit. */
function watchMemory() {
  const start = process.memoryUsage.rss();
  let height = start;
  const look = () => {
    height = Math.max(height, process.memoryUsage.rss());
  };
  const timer = setInterval(look, lookEveryMs);
  return {
    stop() {
      look();
      clearInterval(timer);
      return (height - start) / 1_048_576;
    },
  };
}
