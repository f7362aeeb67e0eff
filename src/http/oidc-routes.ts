import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { isOfficeError } from "../domain/errors.ts";
import type { IdentityIssuer } from "../domain/identity.ts";
import { cookieIn } from "./authenticate.ts";
import { cookieLine, refusalCookie, setCookie } from "./session-cookie.ts";
import type { SignInParts } from "./sign-in-routes.ts";

export interface OidcParts extends SignInParts {
  readonly issuer: IdentityIssuer;
}

/** How long somebody may take at the issuer, in seconds. */
const pendingS = 600;

/** Kept by the browser that began, so that nobody can make another one end it. */
const pendingSignIn = z.strictObject({ state: z.string(), nonce: z.string(), verifier: z.string(), to: z.string() });

/** Sign-in elsewhere: the browser goes to the issuer and comes back with a code. Both ways are plain links. */
export function addOidc(app: FastifyInstance, parts: OidcParts): void {
  const { address, reception, issuer } = parts;
  const base = `${address.basePath}/auth/oidc`;
  // Browsers take a cookie whose name begins with `__Host-` for the whole host alone.
  const cookie = { name: `${parts.cookieName}_oidc`, path: address.basePath, isSecure: address.isSecure };
  const redirectUri = `${address.origin}${base}/callback`;

  app.get<{ Querystring: { readonly to?: string } }>(base, async (request, reply) => {
    try {
      const { url, pending } = await issuer.begin(redirectUri);
      const kept = JSON.stringify({ ...pending, to: ownPath(request.query.to, address.basePath) });
      const value = Buffer.from(kept).toString("base64url");
      void reply.header("set-cookie", cookieLine({ ...cookie, value, maxAgeS: pendingS }));
      return await reply.redirect(url);
    } catch (error) {
      return sayWhy(reply, parts, error);
    }
  });

  app.get(`${base}/callback`, async (request, reply) => {
    void reply.header("set-cookie", cookieLine({ ...cookie, value: "", maxAgeS: 0 }));
    try {
      const pending = readPending(cookieIn(request.headers, cookie.name));
      // The issuer alone knows where it sent the browser: the query, at the address it was told.
      const cameTo = new URL(`${redirectUri}?${request.url.split("?")[1] ?? ""}`);
      const session = await reception.signInBy(await issuer.finish(cameTo, pending), request.ip);
      setCookie(reply, parts, session);
      return await reply.redirect(pending.to);
    } catch (error) {
      return sayWhy(reply, parts, error);
    }
  });
}

function readPending(value: string | null): z.infer<typeof pendingSignIn> {
  const text = Buffer.from(value ?? "", "base64url").toString();
  return pendingSignIn.parse(JSON.parse(text));
}

/** Back to a page of this office, never to another place that a link names. */
function ownPath(to: string | undefined, basePath: string): string {
  const isOwn = to !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(to) && to.startsWith(`${basePath}/`);
  return isOwn ? to : `${basePath}/`;
}

/** To the page where people sign in, which says it in words. Not in the address, where anybody could put what they like. */
function sayWhy(reply: FastifyReply, parts: SignInParts, error: unknown): FastifyReply {
  const why = isOfficeError(error) ? error.message : "The sign-in was not begun here, or took too long. Begin again.";
  void reply.header("set-cookie", refusalCookie(parts, why));
  return reply.redirect(`${parts.address.basePath}/`);
}
