import type { Configuration } from "openid-client";
import { loadClient } from "../domain/client-library.ts";
import { OfficeError } from "../domain/errors.ts";
import type { Identity, IdentityIssuer, OidcOptions, PendingSignIn } from "../domain/identity.ts";

/** An issuer that does not answer must not keep a browser waiting, in seconds. */
const answerWithinS = 10;

type Client = typeof import("openid-client");

/** What it takes to talk to an issuer, once it has said where its doors are. */
interface Known {
  readonly client: Client;
  readonly config: Configuration;
}

/** Signs people in at an issuer of OpenID Connect: by code, with PKCE, state and nonce. */
export function oidcIssuer(options: OidcOptions): IdentityIssuer {
  const { host } = new URL(options.issuer);
  let known: Promise<Known> | null = null;
  const discovered = () => {
    known ??= discover(options).catch((error: unknown) => {
      // It is asked again next time: it may have been away.
      known = null;
      throw away(host, error);
    });
    return known;
  };
  return {
    name: host,
    begin: async (redirectUri) => begin(await discovered(), redirectUri),
    async finish(cameTo, pending) {
      const claims = await claimsOf(await discovered(), cameTo, pending).catch((error: unknown) => {
        throw refused(host, error);
      });
      return identityOf(claims, options.rolesClaim);
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcOptions): Promise<Known> {
  const client = await loadClient("Sign-in by OpenID Connect", "openid-client", () => import("openid-client"));
  const config = await client.discovery(new URL(issuer), clientId, await clientSecret(), undefined, {
    // oxlint-disable-next-line typescript/no-deprecated -- Marked so to stand out. For this machine alone, as the configuration has it.
    execute: isThisMachine(new URL(issuer).hostname) ? [client.allowInsecureRequests] : [],
    timeout: answerWithinS,
  });
  // What says who somebody is must be signed with a key of the issuer's own, whatever way it came.
  client.enableNonRepudiationChecks(config);
  return { client, config };
}

async function begin({ client, config }: Known, redirectUri: string) {
  const pending = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: "openid profile",
    code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: "S256",
    state: pending.state,
    nonce: pending.nonce,
  });
  return { url: url.href, pending };
}

async function claimsOf({ client, config }: Known, cameTo: URL, { state, nonce, verifier }: PendingSignIn) {
  const tokens = await client.authorizationCodeGrant(config, cameTo, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  return tokens.claims() ?? {};
}

function identityOf(claims: Readonly<Record<string, unknown>>, rolesClaim: string): Identity {
  const { iss, sub, preferred_username: name } = claims;
  const given = claims[rolesClaim];
  const groups = Array.isArray(given) ? given : [given];
  return {
    issuer: String(iss),
    subject: String(sub),
    name: typeof name === "string" ? name : null,
    groups: groups.filter((group) => typeof group === "string"),
  };
}

/** Plain HTTP is for an issuer on the same machine alone; the configuration refuses it elsewhere. */
function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}

function away(host: string, cause: unknown): unknown {
  if (cause instanceof OfficeError) return cause;
  const why = cause instanceof Error ? `: ${cause.message}` : "";
  return new OfficeError("SIGN_IN_REFUSED", `${host} cannot be asked who you are${why}. Try again in a while.`, {
    cause,
  });
}

function refused(host: string, cause: unknown): OfficeError {
  const why = cause instanceof Error ? `: ${cause.message}` : "";
  return new OfficeError("SIGN_IN_REFUSED", `${host} did not say who you are${why}. Nobody was signed in.`, { cause });
}
