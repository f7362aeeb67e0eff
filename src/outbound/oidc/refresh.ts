import type { Identity, OidcOptions, RefreshedThere } from "../../domain/identity.ts";
import { type Claims, identityOf, lacksClaims } from "./claims.ts";
import type { Provider } from "./provider.ts";

/** Asks a provider whether a session there goes on, and what it says of its person now. */
export async function refreshAt(
  provider: Provider,
  options: OidcOptions,
  { refreshToken, subject }: { readonly refreshToken: string; readonly subject: string },
): Promise<RefreshedThere> {
  const { client, config } = provider;
  await provider.readSecret();
  try {
    const tokens = await client.refreshTokenGrant(config, refreshToken);
    const idToken: Claims = tokens.claims() ?? {};
    const identity = await identityNow(provider, options, { accessToken: tokens.access_token, idToken, subject });
    return { kind: "goes_on", identity, refreshToken: tokens.refresh_token ?? null };
  } catch (error) {
    const why = refusalIn(error);
    if (why === null) throw error;
    return { kind: "over", why };
  }
}

interface Answered {
  readonly accessToken: string;
  readonly idToken: Claims;
  readonly subject: string;
}

/** Null where the provider only says that the session goes on. An ID token is no must in this answer. */
async function identityNow(
  { client, config, metadata }: Provider,
  options: OidcOptions,
  { accessToken, idToken, subject }: Answered,
): Promise<Identity | null> {
  const hasIdToken = idToken.sub !== undefined;
  if (metadata.userinfo_endpoint === undefined || !(lacksClaims(idToken, options) || !hasIdToken))
    return hasIdToken ? identityOf({ idToken }, options) : null;
  const userinfo = await client.fetchUserInfo(config, accessToken, subject);
  return identityOf({ idToken: { iss: metadata.issuer, sub: subject, ...idToken }, userinfo }, options);
}

/** The provider's word that there is nothing to go on with; null for any other failure, which may pass. */
function refusalIn(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== "ResponseBodyError") return null;
  const { error: code } = error as Error & { readonly error?: unknown };
  return code === "invalid_grant" ? code : null;
}
