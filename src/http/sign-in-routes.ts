import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Environment } from "../domain/environment.ts";
import type { IdentityIssuer, ProviderSession } from "../domain/identity.ts";
import { mayPerform } from "../office/operations/operation.ts";
import type { Reception } from "../office/people/reception.ts";
import { credentialsOf, knownBy, notSignedIn, requireActor, requireOwnPage } from "./authenticate.ts";
import { endpointTable } from "./endpoints.ts";
import type { ServerFailure } from "./error-answer.ts";
import { providerAddresses } from "./provider-addresses.ts";
import { readBody } from "./read-body.ts";
import { type CookieParts, refusalIn, setCookie } from "./session-cookie.ts";

export interface SignInParts extends CookieParts {
  readonly reception: Reception;
  /** Where else people sign in; null where they have a name and a password here. */
  readonly issuer: IdentityIssuer | null;
  /** Gets what the person is told as well, with the same id. */
  readonly onFailure: (failure: ServerFailure) => void;
  /** Null where this is no demonstration. */
  readonly demo: DemoDoor | null;
  /** Null where the configuration does not say. */
  readonly environment: Environment | null;
}

/** What only a demonstration has: it knows its visitor, and can begin again. */
export interface DemoDoor {
  /** Whom everybody who comes in is taken for. */
  readonly visitor: string;
  /** Throws everything away and begins again; answers before it does. */
  reset(): void;
  /** Opens an office for real brokers, on a ledger of its own. */
  connect(): Promise<OwnOffice>;
}

/** The office of whoever runs a demonstration. */
export interface OwnOffice {
  readonly url: string;
  /** Where the way to its first admin is shown, in words; null where there is an admin. Never the way itself. */
  readonly setup: string | null;
}

const signInBody = z.strictObject({ name: z.string(), password: z.string() });
const enrolmentBody = z.strictObject({
  code: z.string(),
  name: z.string().nullable().default(null),
  password: z.string(),
});

/** What the browser gets a session by. These are open to everybody, so each asks for its own page. */
export function addSignIn(app: FastifyInstance, parts: SignInParts): void {
  const { reception, address, cookieName } = parts;
  const base = `${address.basePath}/auth`;
  const credentials = (request: FastifyRequest) => credentialsOf(request.headers, cookieName);

  app.get(`${base}/session`, async (request) => {
    const known = await knownBy(credentials(request), reception);
    const { environment } = parts;
    const isDemo = parts.demo !== null;
    const signIn = { passwords: reception.takesPasswords, elsewhere: parts.issuer?.name ?? null };
    if (known === null) {
      const refused = refusalIn(request.headers, cookieName);
      return { actor: null, expiresAt: null, may: [], isDemo, environment, signIn, refused };
    }
    const may = endpointTable().filter(({ operation }) => mayPerform(known.actor, operation));
    const { id, kind, roles } = known.actor;
    return {
      ...{ actor: { id, kind, roles }, expiresAt: known.expiresAt, may: may.map(({ name }) => name) },
      ...{ isDemo, environment, signIn },
    };
  });

  app.post(`${base}/sign-in`, async (request, reply) => {
    requireOwnPage(request.headers, address, false);
    const { name, password } = readBody(signInBody, request.body);
    const id = await reception.signIn({ name, password, address: request.ip });
    setCookie(reply, parts, id);
    return { name };
  });

  app.post(`${base}/sign-out`, async (request, reply) => {
    const { session, isSent } = credentials(request);
    requireOwnPage(request.headers, address, isSent);
    const ended = session === null ? null : await reception.signOut(session);
    setCookie(reply, parts, null);
    return { elsewhere: ended === null || isSent ? null : await leaveThere(parts, request, ended) };
  });

  app.post(`${base}/setup`, async (request, reply) => {
    requireOwnPage(request.headers, address, false);
    const enrolment = readBody(enrolmentBody, request.body);
    const name = await reception.enrol(enrolment);
    const id = await reception.signIn({ name, password: enrolment.password, address: request.ip });
    setCookie(reply, parts, id);
    return { name };
  });

  addTerminals(app, parts);
  if (parts.demo !== null) addDemo(app, parts, parts.demo);
}

/** Where the browser goes to sign out at the provider too. One that is away keeps no one from signing out here. */
async function leaveThere(
  { issuer, address, onFailure }: SignInParts,
  { id, method, url }: FastifyRequest,
  session: ProviderSession,
): Promise<string | null> {
  try {
    return (await issuer?.signOutUrl(session, providerAddresses(address).afterSignOut)) ?? null;
  } catch (error) {
    onFailure({ id, method, path: url, error });
    return null;
  }
}

/** Without a password: the port is open to this machine alone, and behind it nothing is real. */
function addDemo(app: FastifyInstance, parts: SignInParts, { visitor, reset, connect }: DemoDoor): void {
  const { reception, address, cookieName } = parts;
  app.post(`${address.basePath}/auth/demo`, async (request, reply) => {
    requireOwnPage(request.headers, address, false);
    setCookie(reply, parts, await reception.enterDemo(visitor));
    return { name: visitor };
  });
  app.post(`${address.basePath}/auth/demo/reset`, async (request) => {
    requireOwnPage(request.headers, address, false);
    await requireActor(credentialsOf(request.headers, cookieName), reception);
    reset();
    return {};
  });
  app.post(`${address.basePath}/auth/demo/connect`, async (request) => {
    requireOwnPage(request.headers, address, false);
    await requireActor(credentialsOf(request.headers, cookieName), reception);
    return connect();
  });
}

const allowBody = z.strictObject({ challenge: z.string() });
const redeemBody = z.strictObject({ code: z.string(), verifier: z.string() });

/** `dlo login`: a browser that is signed in brings a terminal a code, and the terminal trades it for a session of its own. */
function addTerminals(app: FastifyInstance, { reception, address, cookieName }: SignInParts): void {
  const base = `${address.basePath}/auth/terminal`;

  app.post(`${base}/allow`, async (request) => {
    requireOwnPage(request.headers, address, false);
    const { session } = credentialsOf(request.headers, cookieName);
    if (session === null || (await reception.bySession(session)) === null) throw notSignedIn();
    return { code: await reception.allowTerminal(session, readBody(allowBody, request.body).challenge) };
  });

  app.post(`${base}/session`, async (request) => {
    // Whoever has the code and its verifier may come from anywhere but a page of somebody else.
    requireOwnPage(request.headers, address, true);
    return { session: await reception.redeemTerminal(readBody(redeemBody, request.body)) };
  });
}
