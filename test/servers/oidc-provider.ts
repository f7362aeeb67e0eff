import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import Provider, { type ClientMetadata, type Configuration } from "oidc-provider";
import type { Certificate } from "./certificate.ts";
import { freePort } from "./server-process.ts";

/**
 * npm's `oidc-provider` with its own defaults: a client authenticates with `client_secret_basic`, claims are at the userinfo
 * endpoint and not in the ID token, and its own page takes any password.
 */
export interface OidcProvider {
  readonly issuer: string;
  readonly client: { readonly id: string; readonly secret: string };
  /** By subject, which is what they type as their name. Who is not here cannot sign in. */
  readonly people: Map<string, ProviderPerson>;
  /** The old secret is refused from now on. */
  changeSecret(): string;
  /** Signs with a new key; the old one is gone. */
  rotateKeys(): void;
  close(): Promise<void>;
}

export interface ProviderPerson {
  /** @default their subject */
  readonly name?: string;
  /** Undefined: it says nothing of groups. */
  readonly groups?: readonly string[];
}

export interface OidcProviderOptions {
  readonly redirectUris: readonly string[];
  readonly people?: Readonly<Record<string, ProviderPerson>>;
  /** What the client registers beside its defaults, such as `post_logout_redirect_uris`. */
  readonly client?: Partial<ClientMetadata>;
  /** What its owner set beside the defaults, such as `features`. */
  readonly settings?: Configuration;
  /** It answers over https, and who asks has to trust this. */
  readonly certificate?: Certificate;
}

export async function startOidcProvider(options: OidcProviderOptions): Promise<OidcProvider> {
  const port = await freePort();
  const issuer = `${options.certificate === undefined ? "http" : "https"}://127.0.0.1:${port}`;
  const people = new Map(Object.entries(options.people ?? {}));
  const client = { id: "dlo", secret: newSecret() };
  let keys = newKeys();
  // Settings of a provider are read when it is made: what changes later makes another, with the sessions of the first.
  let handle = handlerOf(client.secret);
  const answer: RequestListener = (request, response) => void handle(request, response);
  const { certificate } = options;
  const server =
    certificate === undefined
      ? createServer(answer)
      : createSecureServer({ cert: certificate.certificate, key: certificate.key }, answer);
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  return {
    issuer,
    client,
    people,
    changeSecret() {
      client.secret = newSecret();
      handle = handlerOf(client.secret);
      return client.secret;
    },
    rotateKeys() {
      keys = newKeys();
      handle = handlerOf(client.secret);
    },
    close() {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };

  function handlerOf(secret: string) {
    return new Provider(issuer, {
      ...settingsOf(options, people),
      jwks: { keys },
      clients: [clientOf(secret)],
    }).callback();
  }

  function clientOf(secret: string): ClientMetadata {
    const own = { client_id: client.id, client_secret: secret, redirect_uris: [...options.redirectUris] };
    return { ...own, ...options.client };
  }
}

/** What is no default: which claims there are, and of whom. */
function settingsOf({ settings }: OidcProviderOptions, people: ReadonlyMap<string, ProviderPerson>): Configuration {
  return {
    claims: { openid: ["sub"], profile: ["preferred_username", "name"], groups: ["groups"] },
    cookies: { keys: ["a secret of no worth"] },
    async findAccount(_context, accountId) {
      const person = people.get(accountId);
      if (person === undefined) return undefined;
      const name = person.name ?? accountId;
      const groups = person.groups === undefined ? {} : { groups: person.groups };
      return { accountId, claims: async () => ({ sub: accountId, preferred_username: name, name, ...groups }) };
    },
    ...settings,
  };
}

function newSecret(): string {
  return randomBytes(20).toString("hex");
}

function newKeys() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: randomBytes(6).toString("hex") }];
}
