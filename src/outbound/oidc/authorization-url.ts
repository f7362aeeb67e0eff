import { OfficeError } from "../../domain/errors.ts";
import type { OidcOptions, PendingSignIn, SignInPrompt } from "../../domain/identity.ts";
import { isSafeFor, type Provider } from "./provider.ts";

export interface Beginning {
  readonly redirectUri: string;
  readonly prompt: SignInPrompt | null;
}

/** Where a browser goes to sign in, and what to remember until it comes back. */
export async function authorizationUrl(
  { client, config, metadata }: Provider,
  options: OidcOptions,
  { redirectUri, prompt }: Beginning,
) {
  const pending: PendingSignIn = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
    prompt: prompt === null ? null : promptFor(prompt, metadata.prompt_values_supported),
  };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: scopesOf(options, metadata.scopes_supported).join(" "),
    code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: "S256",
    state: pending.state,
    nonce: pending.nonce,
    ...(pending.prompt === null ? {} : { prompt: pending.prompt }),
  });
  return { url: pageOf(url, options), pending };
}

/** Who can't choose an account signs in again, which comes to the same. */
function promptFor(wanted: SignInPrompt, supported: unknown): SignInPrompt {
  return Array.isArray(supported) && !supported.includes(wanted) ? "login" : wanted;
}

/** What is asked for: without a word in the configuration, groups wherever the provider knows such a scope. */
export function scopesOf(
  { scopes }: Pick<OidcOptions, "scopes">,
  supported: readonly string[] | undefined,
): readonly string[] {
  if (scopes !== null) return scopes.includes("openid") ? scopes : ["openid", ...scopes];
  return supported?.includes("groups") ? ["openid", "profile", "groups"] : ["openid", "profile"];
}

/** A browser is sent to pages alone: an address from elsewhere could be a script. */
export function pageOf(url: URL, { issuer }: OidcOptions): string {
  if (isSafeFor(issuer, url)) return url.href;
  throw new OfficeError(
    "SIGN_IN_REFUSED",
    `${new URL(issuer).host} names an address for browsers that is not https (${url.protocol}).`,
  );
}
