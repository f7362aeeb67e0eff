import type { Clock } from "../domain/clock.ts";
import { requireNumber, withDefaults } from "../domain/options.ts";
import { systemClock } from "../system/host.ts";
import { exchange, type OutboundAnswer, type OutboundCall } from "./exchange.ts";
import { OutboundRefused } from "./outbound-refused.ts";
import { type Resolve, resolveBySystem, vettedLookup } from "./vetted-lookup.ts";

export interface GuardedClientOptions {
  /**
   * Hosts that may be called although their address is private, as `host` or `host:port`. Everybody else has to be on the
   * public internet: whoever can name a URL could otherwise make the office ask its own network. @default []
   */
  readonly allow?: readonly string[];
  /** How long a call may take in all, redirects included, in milliseconds. @default 5_000 */
  readonly timeoutMs?: number;
  /** How much of an answer is read, in bytes; the rest is cut. @default 65_536 */
  readonly maxAnswerBytes?: number;
  /** How many redirects are followed, each checked like the first address; only of GET and HEAD. 0: one is an answer like others. @default 3 */
  readonly maxRedirects?: number;
  /** Certificates of authorities that are trusted, in PEM. @default those of Node */
  readonly ca?: readonly string[] | null;
  /** @default the system's clock */
  readonly clock?: Clock;
  /** Finds a host's addresses. @default the system's resolver */
  readonly resolve?: Resolve;
}

const guardedClientDefaults: Required<GuardedClientOptions> = {
  allow: [],
  timeoutMs: 5_000,
  maxAnswerBytes: 65_536,
  maxRedirects: 3,
  ca: null,
  clock: systemClock,
  resolve: resolveBySystem,
};

/** The one way out: probes, health checks and webhooks all go through it. */
export interface GuardedClient {
  call(url: string, call?: OutboundCall): Promise<OutboundAnswer>;
}

export function guardedClient(options?: GuardedClientOptions): GuardedClient {
  const settings = withDefaults(guardedClientDefaults, options);
  requireNumber("timeoutMs", settings.timeoutMs, { min: 1 });
  requireNumber("maxAnswerBytes", settings.maxAnswerBytes, { min: 0, integer: true });
  requireNumber("maxRedirects", settings.maxRedirects, { min: 0, max: 20, integer: true });
  return { call: (url, call = {}) => callWithin(settings, url, call) };
}

async function callWithin(
  settings: Required<GuardedClientOptions>,
  url: string,
  call: OutboundCall,
): Promise<OutboundAnswer> {
  const given = new AbortController();
  const giveUp = () => given.abort(call.signal?.reason);
  const cancel = settings.clock.after(settings.timeoutMs, () => given.abort(tooLate(settings.timeoutMs)));
  call.signal?.addEventListener("abort", giveUp, { once: true });
  if (call.signal?.aborted) giveUp();
  try {
    return await follow(settings, parseUrl(url), { ...call, signal: given.signal });
  } finally {
    cancel();
    call.signal?.removeEventListener("abort", giveUp);
  }
}

async function follow(settings: Required<GuardedClientOptions>, url: URL, call: OutboundCall): Promise<OutboundAnswer> {
  for (let hop = 0, at = url, asked = call; ; hop++) {
    const isAllowed = settings.allow.some((host) => host === at.hostname || host === at.host);
    const lookup = vettedLookup(settings.resolve, { url: at, isAllowed });
    const answer = await exchange(at, asked, { lookup, maxAnswerBytes: settings.maxAnswerBytes, ca: settings.ca });
    const target = redirectOf(answer, at, asked);
    if (target === null || settings.maxRedirects === 0) return answer;
    if (hop === settings.maxRedirects) {
      throw new OutboundRefused(
        "outbound.redirects_exceeded",
        `${url.origin} redirects more than ${settings.maxRedirects} times.`,
      );
    }
    // Headers may carry a credential, which was given to the first host only.
    if (target.origin !== at.origin) asked = { ...asked, headers: {} };
    at = target;
  }
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Null: this is the answer. What was sent with a body is not sent to somebody else. */
function redirectOf(answer: OutboundAnswer, at: URL, { method = "GET" }: OutboundCall): URL | null {
  const location = answer.headers.location;
  if (!redirects.has(answer.status) || location === undefined || (method !== "GET" && method !== "HEAD")) return null;
  return parseUrl(location, at);
}

function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new OutboundRefused("outbound.url_invalid", `${JSON.stringify(text)} is not a URL.`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new OutboundRefused(
      "outbound.url_invalid",
      `${url.protocol}// is not called: only http:// and https:// are.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutboundRefused(
      "outbound.url_invalid",
      "A URL with a name or password in it ends up in logs: send a header instead.",
    );
  }
  return url;
}

function tooLate(timeoutMs: number): OutboundRefused {
  return new OutboundRefused("outbound.timed_out", `There was no whole answer within ${timeoutMs} ms.`);
}
