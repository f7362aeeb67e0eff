import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { isOfficeError, OfficeError } from "../domain/errors.ts";
import type { IdentityIssuer, PendingSignIn, SignInPrompt } from "../domain/identity.ts";
import { pendingMs, type SignInsElsewhere } from "../office/people/sign-ins-elsewhere.ts";
import { cookieIn, requireOwnPage } from "./authenticate.ts";
import { officeErrorOf } from "./error-answer.ts";
import { oidcPath, providerAddresses } from "./provider-addresses.ts";
import { readBody } from "./read-body.ts";
import { cookieLine, refusalCookie, setCookie } from "./session-cookie.ts";
import type { SignInParts } from "./sign-in-routes.ts";

export interface OidcParts extends SignInParts {
  readonly issuer: IdentityIssuer;
  readonly signIns: SignInsElsewhere;
}

/** The longest page that a sign-in leads back to, in characters: with the rest it fits into what browsers and servers take. */
const longestPage = 12_000;

const beginBody = z.strictObject({ to: z.string(), anotherAccount: z.boolean().default(false) });

/** Sign-in elsewhere: the browser goes to the identity provider and comes back with a code. */
export function addOidc(app: FastifyInstance, parts: OidcParts): void {
  const { address } = parts;
  const base = `${address.basePath}${oidcPath}`;

  // A page asks by this one: a long address would not fit into another one.
  app.post(base, async (request, reply) => {
    requireOwnPage(request.headers, address, false);
    const { to, anotherAccount } = readBody(beginBody, request.body);
    try {
      const prompt = anotherAccount ? "select_account" : null;
      return { url: await begin(parts, { request, reply, to: ownPath(to, address.basePath), prompt }) };
    } catch (error) {
      noteFailure(parts, request, error);
      throw error;
    }
  });

  app.get<{ Querystring: { readonly to?: string } }>(base, async (request, reply) => {
    const to = ownPath(request.query.to, address.basePath);
    requireNavigation(request.headers);
    try {
      return await reply.redirect(await begin(parts, { request, reply, to, prompt: null }));
    } catch (error) {
      return sayWhy(parts, { request, reply, to }, error);
    }
  });

  app.get<{ Querystring: { readonly state?: unknown } }>(`${base}/callback`, (request, reply) => {
    const { state } = request.query;
    return comeBack(parts, { request, reply, state: typeof state === "string" ? state : "" });
  });

  addBackChannel(app, parts);
}

/** A page of someone else may lead people here; it may not begin sign-ins behind their backs, as pictures and frames would. */
function requireNavigation({ "sec-fetch-site": site, "sec-fetch-dest": destination }: IncomingHttpHeaders): void {
  const isOwn = site === undefined || site === "none" || site === "same-origin";
  if (isOwn || destination === "document") return;
  throw new OfficeError(
    "REQUEST_REFUSED",
    "A page of someone else may not begin a sign-in. Open the server's own page.",
  );
}

/** A request, and the page that was asked for. */
interface Asking {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly to: string;
}

/** Gives where the browser goes, with a cookie by which it alone comes back. */
async function begin(
  parts: OidcParts,
  { request, reply, to, prompt }: Asking & { readonly prompt: SignInPrompt | null },
): Promise<string> {
  const { url, pending } = await parts.issuer.begin(providerAddresses(parts.address).redirect, prompt);
  const key = await parts.signIns.keep({ pending, to, address: request.ip });
  const cookie = pendingCookie(parts, pending.state);
  forgetOthers(parts, request, reply);
  void reply.header("set-cookie", cookieLine({ ...cookie, value: key, maxAgeS: pendingMs / 1_000 }));
  return url;
}

async function comeBack(
  parts: OidcParts,
  { request, reply, state }: Omit<Asking, "to"> & { readonly state: string },
): Promise<FastifyReply> {
  let to = `${parts.address.basePath}/`;
  let pending: PendingSignIn | null = null;
  try {
    const cookie = pendingCookie(parts, state);
    const key = cookieIn(request.headers, cookie.name);
    if (key === null) throw notBegun();
    void reply.header("set-cookie", cookieLine({ ...cookie, value: "", maxAgeS: 0 }));
    const found = await parts.signIns.take(state, key);
    if (found === null) throw notBegun();
    pending = found.pending;
    to = ownPath(found.to, parts.address.basePath);
    // The provider alone knows where it sent the browser: the query, at the address it was told.
    const cameTo = new URL(`${providerAddresses(parts.address).redirect}?${request.url.split("?")[1] ?? ""}`);
    const session = await parts.reception.signInBy(await parts.issuer.finish(cameTo, pending), request.ip);
    setCookie(reply, parts, session);
    return await reply.redirect(to);
  } catch (error) {
    if (pending?.prompt === "select_account" && isUnknownPrompt(request)) {
      // Not every provider lets people choose; then they sign in again.
      return begin(parts, { request, reply, to, prompt: "login" }).then(
        (url) => reply.redirect(url),
        (failure: unknown) => sayWhy(parts, { request, reply, to }, failure),
      );
    }
    return sayWhy(parts, { request, reply, to }, error);
  }
}

function isUnknownPrompt({ query }: FastifyRequest): boolean {
  return (query as { readonly error?: unknown }).error === "invalid_request";
}

/** A cookie for each sign-in: two tabs may begin at once. With https no other host of the domain can set it, whatever the base path. */
function pendingCookie({ address, cookieName }: OidcParts, state: string) {
  const { isSecure } = address;
  const name = `${pendingPrefix({ address, cookieName })}${/^[\w-]{12}/.exec(state)?.[0] ?? "none"}`;
  return { name, path: isSecure ? "/" : `${address.basePath}${oidcPath}`, isSecure };
}

function pendingPrefix({ address, cookieName }: Pick<OidcParts, "address" | "cookieName">): string {
  return `${address.isSecure ? "__Host-" : ""}${cookieName.replace(/^__(Host|Secure)-/, "")}_oidc_`;
}

/** How many sign-ins one browser may have under way: more cookies would not fit into a request. */
const mostInBrowser = 20;

function forgetOthers(parts: OidcParts, { headers }: FastifyRequest, reply: FastifyReply): void {
  const prefix = pendingPrefix(parts);
  const names = (headers.cookie ?? "").split(/; */).map((pair) => pair.split("=")[0] ?? "");
  const begun = names.filter((name) => name.startsWith(prefix));
  if (begun.length < mostInBrowser) return;
  const { path, isSecure } = pendingCookie(parts, "");
  for (const name of begun)
    void reply.header("set-cookie", cookieLine({ name, path, isSecure, value: "", maxAgeS: 0 }));
}

/** Back to a page of this server, never to another place that a link names. */
function ownPath(to: string | undefined, basePath: string): string {
  const isOwn =
    to !== undefined &&
    to.length <= longestPage &&
    /^\/(?![/\\])[\x21-\x7e]*$/.test(to) &&
    to.startsWith(`${basePath}/`);
  return isOwn ? to : `${basePath}/`;
}

/** To the page that was asked for, where people sign in, which says it in words. Not in the address, where anyone could put what they like. */
function sayWhy(parts: OidcParts, { request, reply, to }: Asking, error: unknown): FastifyReply {
  noteFailure(parts, request, error);
  void reply.header("set-cookie", refusalCookie(parts, `${officeErrorOf(error).message} (${request.id})`));
  return reply.redirect(to);
}

function noteFailure({ onFailure }: OidcParts, { id, method, url }: FastifyRequest, error: unknown): void {
  onFailure({ id, method, path: url.split("?")[0] ?? "", error });
}

function notBegun(): OfficeError {
  const minutes = pendingMs / 60_000;
  return new OfficeError(
    "SIGN_IN_REFUSED",
    `This sign-in was begun in another browser, was used already, or took longer than ${minutes} minutes. Sign in again.`,
  );
}

/** The largest logout token that is read, in bytes. */
const logoutBytes = 65_536;

/** The provider tells that someone signed out there, or was shut out. */
function addBackChannel(app: FastifyInstance, parts: OidcParts): void {
  void app.register(async (inner) => {
    inner.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: logoutBytes },
      async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
    );
    inner.post(`${parts.address.basePath}${oidcPath}/back-channel`, async (request, reply) => {
      void reply.header("cache-control", "no-store");
      try {
        const token = request.body instanceof URLSearchParams ? request.body.get("logout_token") : null;
        if (token === null) throw new OfficeError("INVALID_REQUEST", "The form has no `logout_token`.");
        await parts.signIns.end(await parts.issuer.readLogoutToken(token));
        return await reply.send();
      } catch (error) {
        noteFailure(parts, request, error);
        // The token may be good: whoever sent it is to send it again.
        if (!isOfficeError(error, "INVALID_REQUEST")) return reply.code(503).header("retry-after", "30").send();
        return reply
          .code(400)
          .send({ error: "invalid_request", error_description: `${error.message} (${request.id})` });
      }
    });
  });
}
