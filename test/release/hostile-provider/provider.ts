import { createHmac, generateKeyPairSync, type JsonWebKey, type KeyObject, randomBytes, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { freePort } from "../../servers/server-process.ts";

/** A provider that is what its owner wants it to be: each of its answers can be another one. */
export interface HostileProvider {
  readonly issuer: string;
  readonly client: { readonly id: string; readonly secret: string };
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  /** An address on the same machine that only something that asks where it should not would reach, and how often it was reached. */
  readonly internal: { readonly url: string; reached(): number };
  /** The keys that it names, and what belongs to them. */
  readonly keys: SigningKeys;
  behave(behavior: Behavior): void;
  close(): Promise<void>;
}

export interface SigningKeys {
  readonly own: Signer;
  /** Of someone else: no one names it. */
  readonly foreign: Signer;
  /** Of 1024 bits. */
  readonly weak: Signer;
}

export interface Signer {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicPem: string;
  readonly publicJwk: JsonWebKey;
}

/** What it knows while it answers. */
export interface Situation {
  readonly issuer: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly keys: SigningKeys;
  readonly internal: string;
  /** Of the sign-in that is under way. */
  readonly nonce: string;
  /** Now, in seconds. */
  readonly now: number;
}

export type Claims = Readonly<Record<string, unknown>>;
type Answer = (request: IncomingMessage, response: ServerResponse, situation: Situation) => void | Promise<void>;

/** What differs from an honest provider, which says: the subject is `sub-ana`, called ana, in the group payments-ops. */
export interface Behavior {
  readonly metadata?: (honest: Claims, situation: Situation) => unknown;
  readonly keys?: (honest: Claims, situation: Situation) => unknown;
  readonly claims?: (honest: Claims, situation: Situation) => Claims;
  /** In place of the honest token; a text that is sent as it is, or whatever else. */
  readonly idToken?: (claims: Claims, situation: Situation) => unknown;
  readonly tokenAnswer?: (honest: Claims, situation: Situation) => unknown;
  readonly userinfo?: (honest: Claims, situation: Situation) => unknown;
  /** Where the browser goes from the provider's page. */
  readonly back?: (honest: URL, situation: Situation) => URL;
  /** Full answers, by path. */
  readonly answers?: Readonly<Record<string, Answer>>;
}

export async function startHostileProvider(): Promise<HostileProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const client = { id: "dlo", secret: randomBytes(20).toString("hex") };
  const keys = { own: newSigner(2048), foreign: newSigner(2048), weak: newSigner(1024) };
  const inside = await startInternal();
  const asked: string[] = [];
  let behavior: Behavior = {};
  let nonce = "";
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    asked.push(url.pathname);
    nonce = url.searchParams.get("nonce") ?? nonce;
    const now = Math.floor(Date.now() / 1_000);
    const situation = { issuer, client, keys, internal: inside.url, nonce, now };
    const answer = behavior.answers?.[url.pathname] ?? honestAnswers[url.pathname]?.(behavior, url);
    if (answer === undefined) response.writeHead(404).end();
    else void answer(request, response, situation);
  });
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  return {
    ...{ issuer, client, asked, keys },
    internal: { url: inside.url, reached: inside.reached },
    behave(next) {
      behavior = next;
      asked.length = 0;
    },
    async close() {
      server.closeAllConnections();
      await Promise.all([inside.close(), new Promise((closed) => server.close(closed))]);
    },
  };
}

async function startInternal() {
  const port = await freePort();
  let reached = 0;
  const server = createServer((_request, response) => {
    reached += 1;
    response.end("{}");
  });
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  const close = () => new Promise((closed) => server.close(closed));
  return { url: `http://127.0.0.1:${port}`, reached: () => reached, close };
}

function newSigner(modulusLength: number): Signer {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength });
  const publicPem = publicKey.export({ format: "pem", type: "spki" }).toString();
  return { kid: randomBytes(6).toString("hex"), privateKey, publicPem, publicJwk: publicKey.export({ format: "jwk" }) };
}

export const keyOf = ({ kid, publicJwk }: Signer) => ({ ...publicJwk, kid, use: "sig", alg: "RS256" });

const honestAnswers: Readonly<Record<string, (behavior: Behavior, url: URL) => Answer>> = {
  "/.well-known/openid-configuration":
    ({ metadata = (honest) => honest }) =>
    (_request, response, situation) =>
      json(response, metadata(honestMetadata(situation), situation)),
  "/jwks":
    ({ keys = (honest) => honest }) =>
    (_request, response, situation) =>
      json(response, keys({ keys: [keyOf(situation.keys.own)] }, situation)),
  "/authorize":
    ({ back = (honest) => honest }, url) =>
    (_request, response, situation) => {
      const honest = new URL(url.searchParams.get("redirect_uri") ?? "");
      honest.searchParams.set("code", randomBytes(12).toString("hex"));
      honest.searchParams.set("state", url.searchParams.get("state") ?? "");
      response.writeHead(302, { location: back(honest, situation).href }).end();
    },
  "/token":
    ({ claims = (honest) => honest, idToken = signed, tokenAnswer = (honest) => honest }) =>
    (_request, response, situation) => {
      const token = idToken(claims(honestClaims(situation), situation), situation);
      const honest = { access_token: "an access token", token_type: "Bearer", expires_in: 300, id_token: token };
      json(response, tokenAnswer(honest, situation));
    },
  "/userinfo":
    ({ userinfo = (honest) => honest }) =>
    (_request, response, situation) =>
      json(response, userinfo({ sub: "sub-ana", preferred_username: "ana", groups: ["payments-ops"] }, situation)),
};

export function honestMetadata({ issuer }: Situation): Claims {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    end_session_endpoint: `${issuer}/end`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}

function honestClaims({ issuer, client, nonce, now }: Situation): Claims {
  const who = { sub: "sub-ana", preferred_username: "ana", groups: ["payments-ops"] };
  return { iss: issuer, aud: client.id, iat: now, exp: now + 300, nonce, ...who };
}

/** A text is sent as it is: it need not be JSON. */
function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

const encoded = (part: unknown) =>
  Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");

/** As an honest provider signs. */
export function signed(claims: Claims | string, { keys }: Situation): string {
  return jwt({ alg: "RS256", kid: keys.own.kid }, claims, keys.own);
}

/** Signed by RS256, whatever the header says. */
export function jwt(header: object, claims: Claims | string, { privateKey }: Signer): string {
  const content = `${encoded(header)}.${encoded(claims)}`;
  return `${content}.${sign("sha256", Buffer.from(content), privateKey).toString("base64url")}`;
}

export function hmacJwt(header: object, claims: Claims, secret: string): string {
  const content = `${encoded(header)}.${encoded(claims)}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
}

export function unsignedJwt(header: object, claims: Claims): string {
  return `${encoded(header)}.${encoded(claims)}.`;
}
