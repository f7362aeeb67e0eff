import { rootCertificates } from "node:tls";
import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from "openid-client";
import { loadClient } from "../../domain/client-library.ts";
import type { Clock } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { OidcOptions } from "../../domain/identity.ts";
import { guardedClient } from "../guarded-client.ts";
import { clientAuthOf } from "./client-auth.ts";
import { answerWithinMs, fetchThrough, maxAnswerBytes } from "./fetch-through.ts";

/** What a provider changes in its metadata counts within this time. */
const freshMs = 3_600_000;

export interface ProviderParts {
  readonly options: OidcOptions;
  /** Hosts that may be called although their address is private; the issuer's own needs no mention. */
  readonly allow: readonly string[];
  readonly clock: Clock;
}

/** A provider that has said where its endpoints are. */
export interface Provider {
  readonly client: typeof import("openid-client");
  readonly config: Configuration;
  readonly metadata: ServerMetadata;
  /** How this provider is asked. */
  readonly request: CustomFetch;
  /** As `config`, but it reads the provider's keys anew: the library looks for a new one only a minute after it read the old. */
  withKeysOfNow(): Configuration;
  /** Before a request in which DLO proves who it is: reads the secret as it is now. */
  readSecret(): Promise<void>;
}

/** Asks for the metadata when it is first needed, and again after an hour or a failure. */
export function discovered(parts: ProviderParts): () => Promise<Provider> {
  let known: { readonly provider: Promise<Provider>; readonly at: number } | null = null;
  return async () => {
    const { clock } = parts;
    const before = known;
    if (before !== null && clock.now() - before.at < freshMs) return before.provider;
    const asked = { provider: discover(parts), at: clock.now() };
    known = asked;
    try {
      return await asked.provider;
    } catch (error) {
      known = null;
      throw error;
    }
  };
}

/** How a provider is asked: by the guarded client, with the certificates of the configuration. */
async function providerRequest({ options, allow, clock }: ProviderParts): Promise<CustomFetch> {
  const own = await options.ca?.();
  const outside = guardedClient({
    ...{ allow: [...allow, new URL(options.issuer).host], timeoutMs: answerWithinMs, maxAnswerBytes, maxRedirects: 0 },
    ca: own === undefined ? null : [...rootCertificates, own],
    clock,
  });
  return fetchThrough(outside);
}

async function discover(parts: ProviderParts): Promise<Provider> {
  const { options } = parts;
  const client = await loadClient("Sign-in by OpenID Connect", "openid-client", () => import("openid-client"));
  const request = await providerRequest(parts);
  const issuer = new URL(options.issuer);
  // oxlint-disable-next-line typescript/no-deprecated -- Marked so to stand out. For this machine alone, as the configuration has it.
  const execute = isThisMachine(issuer) ? [client.allowInsecureRequests] : [];
  const more = { execute, timeout: answerWithinMs / 1_000, [client.customFetch]: request };
  let auth = client.None();
  const authNow: ClientAuth = (...given) => auth(...given);
  const config = await client.discovery(issuer, options.clientId, undefined, authNow, more);
  const metadata = config.serverMetadata();
  if (metadata.issuer.includes("{")) throw anybodys(issuer);
  // What says who someone is must be signed with a key of the provider's own, whatever way it came.
  client.enableNonRepudiationChecks(config);
  return {
    ...{ client, config, metadata, request },
    withKeysOfNow() {
      const own = new client.Configuration(metadata, options.clientId, undefined, authNow);
      own[client.customFetch] = request;
      own.timeout = more.timeout;
      // oxlint-disable-next-line typescript/no-deprecated -- As above, for this machine alone.
      for (const change of [...execute, client.enableNonRepudiationChecks]) change(own);
      return own;
    },
    async readSecret() {
      auth = await clientAuthOf(client, options, metadata);
    },
  };
}

/** Plain HTTP is for a provider on the same machine alone; the configuration refuses it elsewhere. */
function isThisMachine({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

function anybodys({ href }: URL): OfficeError {
  return new OfficeError(
    "INVALID_CONFIG",
    `${href} signs in people of every tenant. Write the issuer of your own as \`signIn.oidc.issuer\`.`,
  );
}

/** Whether an address that a provider names may be used: by https, or on this machine like the provider itself. */
export function isSafeFor(issuer: string, address: URL): boolean {
  return address.protocol === "https:" || (isThisMachine(new URL(issuer)) && isThisMachine(address));
}
