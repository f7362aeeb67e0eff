import { generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT } from "jose";

/** What a provider answers at one of its paths, in place of what is right. */
export type Script = (request: IncomingMessage, response: ServerResponse) => void;

/** A provider that does what a test tells it, for what no real one would do. Who is sent to its page is signed in at once. */
export interface ScriptedProvider {
  readonly issuer: string;
  readonly client: { readonly id: string; readonly secret: string };
  /** By path, such as `/token`. */
  readonly scripts: Map<string, Script>;
  /** In its metadata, in place of what is right. */
  metadata: Readonly<Record<string, unknown>>;
  /** In the ID token, in place of what is right. */
  claims: Readonly<Record<string, unknown>>;
  /** Signed with its key, or another. */
  sign(claims: object, options?: { readonly type?: string; readonly key?: KeyObject }): Promise<string>;
  /** Does what is right again. */
  reset(): void;
  close(): Promise<void>;
}

const keyId = "key-1";

export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const client = { id: "dlo", secret: "s".repeat(40) };
  const nonces = new Map<string, string>();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: ScriptedProvider = {
    ...{ issuer, client, scripts: new Map(), metadata: {}, claims: {} },
    sign: (claims, { type = "JWT", key = privateKey } = {}) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: "RS256", kid: keyId, typ: type }).sign(key),
    reset() {
      provider.scripts.clear();
      provider.metadata = {};
      provider.claims = {};
    },
    close() {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
  return provider;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", issuer);
    const script = provider.scripts.get(pathname);
    if (script !== undefined) return script(request, response);
    if (pathname === "/authorize") {
      const code = randomUUID();
      nonces.set(code, searchParams.get("nonce") ?? "");
      const back = new URLSearchParams({ code, state: searchParams.get("state") ?? "" });
      return void response.writeHead(302, { location: `${searchParams.get("redirect_uri")}?${back}` }).end();
    }
    if (pathname === "/token") return tell(response, await tokens(await bodyOf(request)));
    if (pathname === "/jwks")
      return tell(response, { keys: [{ ...publicKey.export({ format: "jwk" }), kid: keyId, use: "sig" }] });
    if (pathname === "/.well-known/openid-configuration") return tell(response, metadata());
    response.writeHead(404).end();
  }

  function metadata(): object {
    return {
      ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
      ...{ jwks_uri: `${issuer}/jwks`, end_session_endpoint: `${issuer}/end` },
      ...provider.metadata,
    };
  }

  async function tokens(form: URLSearchParams): Promise<object> {
    const now = Math.floor(Date.now() / 1_000);
    const own = { iss: issuer, aud: client.id, sub: "sub-ana", iat: now, exp: now + 300 };
    const about = { preferred_username: "ana", groups: ["payments-ops"], nonce: nonces.get(form.get("code") ?? "") };
    const idToken = await provider.sign({ ...own, ...about, ...provider.claims });
    return { access_token: "a", token_type: "Bearer", id_token: idToken };
  }
}

function tell(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const piece of request) text += String(piece);
  return new URLSearchParams(text);
}
