import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from "openid-client";
import type { Clock } from "../../domain/clock.ts";
import type { IdentityIssuer, OidcOptions, PendingSignIn, ProviderSession } from "../../domain/identity.ts";
import { authorizationUrl, pageOf } from "./authorization-url.ts";
import { type Claims, claimAt, identityOf, lacksClaims } from "./claims.ts";
import { clientAuthMethod } from "./client-auth.ts";
import { signInFailure } from "./failures.ts";
import { checkIdToken } from "./id-token.ts";
import { logoutTokenReader } from "./logout-token.ts";
import { discovered, type Provider, type ProviderParts } from "./provider.ts";
import { refreshAt } from "./refresh.ts";

/** The longest ID token that is sent back in an address; the longest addresses that all browsers and proxies take have 8 kB. */
const longestHint = 4_000;

/** Signs people in at a provider of OpenID Connect: by code, with PKCE, state and nonce. */
export function oidcIssuer(parts: ProviderParts): IdentityIssuer {
  const { options, clock } = parts;
  const find = discovered(parts);
  let logouts: { readonly provider: Provider; readonly read: ReturnType<typeof logoutTokenReader> } | null = null;
  /** Runs what asks the provider; its failures are told in words. */
  const asking = async <Answer>(ask: (provider: Provider) => Promise<Answer>): Promise<Answer> => {
    let provider: Provider | null = null;
    try {
      provider = await find();
      return await ask(provider);
    } catch (error) {
      const clientAuth = provider === null ? null : clientAuthMethod(options, provider.metadata);
      throw await signInFailure(error, { issuer: options.issuer, clientAuth, now: clock.now() });
    }
  };
  return {
    name: new URL(options.issuer).host,
    begin: (redirectUri, prompt) => asking((provider) => authorizationUrl(provider, options, { redirectUri, prompt })),
    finish: (cameTo, pending) => asking((provider) => finish(provider, options, { cameTo, pending, clock })),
    url: options.issuer,
    refresh: (refreshToken, subject) => asking((provider) => refreshAt(provider, options, { refreshToken, subject })),
    async signOutUrl(session, returnTo) {
      if (options.signOut === "here") return null;
      return asking((provider) => signOutUrl(provider, options, { session, returnTo }));
    },
    readLogoutToken: (token) =>
      asking((provider) => {
        if (logouts?.provider !== provider)
          logouts = { provider, read: logoutTokenReader(provider.metadata, options.clientId, provider.request) };
        return logouts.read(token);
      }),
  };
}

interface Return {
  readonly cameTo: URL;
  readonly pending: PendingSignIn;
  readonly clock: Clock;
}

async function finish(provider: Provider, options: OidcOptions, { cameTo, pending, clock }: Return) {
  const { client } = provider;
  await provider.readSecret();
  const tokens = await client.authorizationCodeGrant(provider.withKeysOfNow(), cameTo, {
    pkceCodeVerifier: pending.verifier,
    expectedState: pending.state,
    expectedNonce: pending.nonce,
    idTokenExpected: true,
  });
  const idToken: Claims = tokens.claims() ?? {};
  checkIdToken(idToken, {
    host: new URL(options.issuer).host,
    clientId: options.clientId,
    idToken: tokens.id_token ?? "",
    accessToken: tokens.access_token,
    now: clock.now(),
  });
  const userinfo = await missingClaims(provider, options, { tokens, idToken });
  const identity = identityOf({ idToken, userinfo }, options);
  return {
    identity,
    session: sessionOf(tokens, idToken),
    issuedAt: Number(idToken.iat) * 1_000,
    refreshToken: tokens.refresh_token ?? null,
  };
}

interface Told {
  readonly tokens: TokenEndpointResponse & TokenEndpointResponseHelpers;
  readonly idToken: Claims;
}

/** What the userinfo endpoint says where the ID token lacks a claim. */
async function missingClaims(
  { client, config, metadata }: Provider,
  options: OidcOptions,
  { tokens, idToken }: Told,
): Promise<Claims> {
  if (metadata.userinfo_endpoint === undefined || !lacksClaims(idToken, options)) return {};
  return client.fetchUserInfo(config, tokens.access_token, String(idToken.sub)).catch((error: unknown) => {
    if (claimAt(idToken, options.rolesClaim) === undefined) throw error;
    // Only the name is missing, which is a suggestion.
    return {};
  });
}

function sessionOf(tokens: TokenEndpointResponse, { iss, sub, sid }: Claims): ProviderSession {
  const idToken = tokens.id_token ?? "";
  return {
    issuer: String(iss),
    subject: String(sub),
    sid: typeof sid === "string" && sid !== "" ? sid : null,
    idToken: idToken === "" || idToken.length > longestHint ? null : idToken,
  };
}

interface Leaving {
  readonly session: ProviderSession;
  readonly returnTo: string;
}

async function signOutUrl(
  { client, config, metadata }: Provider,
  options: OidcOptions,
  { session, returnTo }: Leaving,
) {
  if (metadata.end_session_endpoint === undefined || metadata.issuer !== session.issuer) return null;
  const url = client.buildEndSessionUrl(config, {
    ...(session.idToken === null ? {} : { id_token_hint: session.idToken }),
    // Where the address is not registered, the provider shows an error instead of signing out.
    ...(options.signOut === "return" ? { post_logout_redirect_uri: returnTo } : {}),
  });
  return pageOf(url, options);
}
