import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { type Clock, within } from "../domain/clock.ts";
import type { Environment } from "../domain/environment.ts";
import { OfficeError } from "../domain/errors.ts";
import type { IdentityIssuer } from "../domain/identity.ts";
import type { OnceOnly } from "../office/once-only.ts";
import { requireMay } from "../office/operations/operation.ts";
import type { Call } from "../office/operations/operations.ts";
import type { Reception } from "../office/people/reception.ts";
import type { SignInsElsewhere } from "../office/people/sign-ins-elsewhere.ts";
import type { ChangeFeed } from "../office/stream/change-feed.ts";
import { credentialsOf, requireActor, requireOwnHost, requireOwnPage } from "./authenticate.ts";
import { type Endpoint, endpointTable } from "./endpoints.ts";
import { answerError, type ServerFailure } from "./error-answer.ts";
import { metricsText, metricsType } from "./metrics.ts";
import { addOidc } from "./oidc-routes.ts";
import { openApi } from "./openapi.ts";
import type { PublicAddress } from "./public-address.ts";
import { type RequestParts, readInput } from "./read-input.ts";
import { referencePage, referenceStyle } from "./reference-page.ts";
import { apiPrefix } from "./routes.ts";
import { setSecurityHeaders } from "./security-headers.ts";
import { addSignIn, type DemoDoor } from "./sign-in-routes.ts";
import { addStream, type StreamLimits, streamLimitDefaults } from "./stream.ts";
import { addWebFiles, type WebFiles, webPage } from "./web-files.ts";
import { type Writer, writtenOnce } from "./written-once.ts";

export interface OfficeServerParts {
  readonly call: Call;
  readonly reception: Reception;
  readonly once: OnceOnly;
  readonly address: PublicAddress;
  /** Of the session's cookie. */
  readonly cookieName: string;
  /** Whose X-Forwarded-For counts. */
  readonly trustedProxies: readonly string[];
  readonly version: string;
  /** What changes in the ledger, for the live stream. */
  readonly feed: ChangeFeed;
  /** Where else people sign in; null where they have a name and a password here. */
  readonly issuer: IdentityIssuer | null;
  /** Remembers who is there. */
  readonly signIns: SignInsElsewhere;
  /** What only a demonstration has; null everywhere else. */
  readonly demo: DemoDoor | null;
  /** Which of several offices this is; null where the configuration does not say. */
  readonly environment: Environment | null;
  /** The web UI; empty where it was not built. */
  readonly web: WebFiles;
  /** One word: `ready`, or why not. */
  readonly readiness: () => Promise<string>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly onFailure: (failure: ServerFailure) => void;
}

export interface ServerLimits extends Omit<StreamLimits, "atOnce"> {
  /** Bytes of a request's body. @default 1_048_576 */
  readonly bodyBytes?: number;
  /** How long an operation may take, in milliseconds. @default 30_000 */
  readonly answerMs?: number;
  /** Operations under way at once; more are told to come back, so that a slow ledger does not pile them up. @default 200 */
  readonly atOnce?: number;
}

export const serverLimitDefaults: Required<ServerLimits> = {
  ...streamLimitDefaults,
  ...{ bodyBytes: 1_048_576, answerMs: 30_000, atOnce: 200 },
};

/** The time in which a request must have come whole: who sends a byte a minute gets no answer. */
const requestMs = 30_000;
/** Longest path part, such as a queue's name. */
const longestPart = 1_000;

/** The office over HTTP, made of the table of endpoints. Opens no port: `inject` answers without one. */
export function officeServer(parts: OfficeServerParts, limits: Required<ServerLimits> = serverLimitDefaults) {
  const base = parts.address.basePath;
  const say = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const failure = answerError(error, { request, reply, referencePath: `${base}/reference` });
    if (failure !== null) parts.onFailure(failure);
  };
  const app = fastify({
    bodyLimit: limits.bodyBytes,
    trustProxy: parts.trustedProxies.length === 0 ? false : [...parts.trustedProxies],
    requestTimeout: requestMs,
    genReqId: () => parts.newId(),
    requestIdHeader: false,
    routerOptions: { maxParamLength: longestPart },
    return503OnClosing: true,
    forceCloseConnections: "idle",
    // An address that cannot be read is refused before any hook.
    frameworkErrors(error, request, reply) {
      setSecurityHeaders(reply, parts.address.isSecure);
      say(error, request, reply);
    },
  });
  app.removeContentTypeParser(["text/plain"]);
  app.addHook("onRequest", async (request, reply) => {
    setSecurityHeaders(reply, parts.address.isSecure);
    if (!isHealthPath(request.url, base)) requireOwnHost(request.headers, parts.address);
  });
  app.setErrorHandler(say);
  const page = webPage(parts.web, base);
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?")[0] ?? "";
    if (base !== "" && request.method === "GET" && path === "/") return reply.redirect(`${base}/`);
    if (page !== null && isPage(request, base)) return page(path, reply);
    throw new OfficeError("ROUTE_NOT_FOUND", `There is nothing at ${request.method} ${path}.`, {
      details: path.startsWith(`${base}/`) ? {} : { hint: `Everything of this server is below ${base}/.` },
    });
  });
  addHealth(app, parts);
  addMetrics(app, parts);
  addDocuments(app, parts);
  addSignIn(app, parts);
  if (parts.issuer !== null) addOidc(app, { ...parts, issuer: parts.issuer });
  addWebFiles(app, parts.web, base);
  addStream(app, parts, limits);
  addOperations(app, parts, limits);
  return app;
}

/** What a browser opens; a path of the API that is not there is no page, and what is not below the base path isn't ours. */
function isPage({ method, url, headers: { accept = "" } }: FastifyRequest, base: string): boolean {
  const isOurs = url.startsWith(`${base}/`) || url.split("?")[0] === base;
  return method === "GET" && accept.includes("text/html") && isOurs && !url.startsWith(`${base}/api/`);
}

function isHealthPath(url: string, base: string): boolean {
  return url === `${base}/healthz` || url === `${base}/readyz`;
}

/** For load balancers, which call by address: one word each, and no more. */
function addHealth(app: FastifyInstance, { address: { basePath }, readiness }: OfficeServerParts): void {
  app.get(`${basePath}/healthz`, async (_request, reply) => reply.type("text/plain").send("ok"));
  app.get(`${basePath}/readyz`, async (_request, reply) => {
    const word = await readiness();
    return reply
      .code(word === "ready" ? 200 : 503)
      .type("text/plain")
      .send(word);
  });
}

/** For a monitor, which signs in with a viewer's token. */
function addMetrics(app: FastifyInstance, { address, cookieName, reception, call }: OfficeServerParts): void {
  app.get(`${address.basePath}/metrics`, async (request, reply) => {
    const actor = await requireActor(credentialsOf(request.headers, cookieName), reception);
    return reply.type(metricsType).send(metricsText(await call("figures.get", actor, {})));
  });
}

/** What the API is, for programs and for people. It tells nothing of what the ledger holds. */
function addDocuments(app: FastifyInstance, { address, version }: OfficeServerParts): void {
  const { basePath } = address;
  // Made once: anybody may ask, a thousand times on one connection, and they are long.
  const description = once(() => JSON.stringify(openApi(endpointTable(), { address, version })));
  const page = once(() => referencePage(endpointTable(), { address, version }));
  app.get(`${basePath}/openapi.json`, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(description()),
  );
  app.get(`${basePath}/reference`, async (_request, reply) => reply.type("text/html; charset=utf-8").send(page()));
  app.get(`${basePath}/reference.css`, async (_request, reply) => reply.type("text/css").send(referenceStyle));
}

function once(make: () => string): () => Buffer {
  let made: Buffer | null = null;
  return () => {
    made ??= Buffer.from(make());
    return made;
  };
}

function addOperations(app: FastifyInstance, parts: OfficeServerParts, limits: Required<ServerLimits>): void {
  let underWay = 0;
  const write = writtenOnce();
  for (const endpoint of endpointTable()) {
    app.route({
      method: endpoint.method,
      bodyLimit: Math.max(endpoint.operation.takesBytes ?? 0, limits.bodyBytes),
      url: `${parts.address.basePath}${apiPrefix}${endpoint.path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      handler: async (request, reply) => {
        if (underWay >= limits.atOnce) throw tooMuch();
        underWay += 1;
        try {
          const given = await answer(endpoint, request, parts, { ...limits, write });
          if (given instanceof Buffer) void reply.type("application/json; charset=utf-8");
          return wantsFile(request) ? (sentAsFile(endpoint, given, reply) ?? given) : given;
        } finally {
          underWay -= 1;
        }
      },
    });
  }
}

function wantsFile({ headers: { accept = "" } }: FastifyRequest): boolean {
  return accept.includes("application/octet-stream");
}

/** Bytes that no browser takes for anything but a file; null where the operation has none. */
function sentAsFile({ operation }: Endpoint, given: unknown, reply: FastifyReply): FastifyReply | null {
  const file = operation.asFile?.(given);
  if (file === undefined) return null;
  return reply
    .type("application/octet-stream")
    .header("content-disposition", `attachment; filename="${file.name}"`)
    .send(Buffer.from(file.base64, "base64"));
}

async function answer(
  endpoint: Endpoint,
  request: FastifyRequest,
  parts: OfficeServerParts,
  { answerMs, write }: Pick<Required<ServerLimits>, "answerMs"> & { readonly write: Writer },
): Promise<unknown> {
  const credentials = credentialsOf(request.headers, parts.cookieName);
  if (endpoint.method !== "GET") requireOwnPage(request.headers, parts.address, credentials.isSent);
  const actor = await requireActor(credentials, parts.reception, endpoint.operation.isUnattended !== true);
  const input = readInput(endpoint, request as RequestParts);
  const run = async () => {
    const asked = parts.call(endpoint.name, actor, input) as Promise<object>;
    const given = await within(parts.clock, answerMs, asked, tooSlow);
    // What the output's schema does not name is left out: nothing leaves that nobody meant to show.
    const check = (all: object) => endpoint.operation.output.parse(all);
    // What is asked with a key of its own is kept as an answer, not as its bytes.
    return endpoint.operation.isShared === true && endpoint.method === "GET" ? write(given, check) : check(given);
  };
  const key = request.headers["idempotency-key"];
  if (endpoint.method === "GET" || endpoint.operation.isSecret === true || key === undefined) return run();
  // An answer that is kept is for those alone who may still ask.
  requireMay(actor, endpoint.operation);
  return parts.once({ actor: actor.id, operation: endpoint.name, key: String(key), input }, run);
}

function tooMuch(): OfficeError {
  return new OfficeError("SERVER_UNAVAILABLE", "The office has too much to do. Try again in a second.", {
    details: { retryAfterS: 1 },
  });
}

function tooSlow(): never {
  throw new OfficeError(
    "SERVER_UNAVAILABLE",
    "This took too long, and may still be under way. Ask for less, or later.",
    {
      details: { retryAfterS: 10 },
    },
  );
}
