import type { OidcOptions } from "../../domain/identity.ts";
import type { ProviderAddresses, SignInCheck, SignInReport } from "../../domain/sign-in-check.ts";
import { authorizationUrl, scopesOf } from "./authorization-url.ts";
import { clientAuthMethod } from "./client-auth.ts";
import { signInFailure } from "./failures.ts";
import { discovered, type Provider, type ProviderParts } from "./provider.ts";

/** How far two clocks may be apart before tokens are refused for it. */
const toleratedMs = 30_000;

interface Checked extends ProviderParts {
  readonly provider: Provider;
  readonly addresses: ProviderAddresses;
}

type Check = (checked: Checked) => Promise<Omit<SignInCheck, "name">>;

/** Tries at a provider what a sign-in needs, without signing anyone in. */
export async function checkProvider(parts: ProviderParts, addresses: ProviderAddresses): Promise<SignInReport> {
  return { issuer: parts.options.issuer, addresses, checks: await checksOf(parts, addresses) };
}

async function checksOf(parts: ProviderParts, addresses: ProviderAddresses): Promise<readonly SignInCheck[]> {
  const { options } = parts;
  const failed = async (name: SignInCheck["name"], error: unknown, clientAuth: string | null) => {
    const asked = { issuer: options.issuer, clientAuth, now: parts.clock.now() };
    return { name, state: "problem", sentence: (await signInFailure(error, asked)).message } as const;
  };
  const provider = await discovered(parts)().catch((error: unknown) => failed("discovery", error, null));
  if ("state" in provider) return [provider];
  const found = { state: "ok", sentence: `${provider.metadata.issuer} says where its endpoints are.` } as const;
  const checks: SignInCheck[] = [{ name: "discovery", ...found }];
  for (const [name, check] of following)
    checks.push(
      await check({ ...parts, provider, addresses }).then(
        (outcome) => ({ name, ...outcome }),
        (error: unknown) => failed(name, error, options.clientAuth),
      ),
    );
  return checks;
}

const following: readonly (readonly [SignInCheck["name"], Check])[] = [
  ["keys", checkKeys],
  ["clock", checkClock],
  ["client", checkClient],
  ["redirect", checkRedirect],
  ["claims", checkClaims],
  ["sign-out", checkSignOut],
];

async function askFor(provider: Provider, url: string): Promise<Response> {
  return provider.request(url, { method: "GET", headers: { accept: "*/*" }, body: undefined, redirect: "manual" });
}

async function checkKeys({ provider }: Checked): ReturnType<Check> {
  const { jwks_uri: uri } = provider.metadata;
  if (uri === undefined) return { state: "problem", sentence: "The metadata names no keys (`jwks_uri`)." };
  const response = await askFor(provider, uri);
  if (response.status !== 200) return { state: "problem", sentence: `${uri} answered with status ${response.status}.` };
  const body = (await response.json()) as { readonly keys?: unknown };
  const keys = Array.isArray(body.keys) ? (body.keys as readonly { readonly use?: unknown }[]) : [];
  const signing = keys.filter(({ use }) => use === undefined || use === "sig").length;
  if (signing === 0) return { state: "problem", sentence: `${uri} has no key that signs.` };
  return { state: "ok", sentence: `${uri} has ${signing} ${signing === 1 ? "key that signs" : "keys that sign"}.` };
}

async function checkClock({ provider, options, clock }: Checked): ReturnType<Check> {
  const response = await askFor(provider, provider.metadata.jwks_uri ?? options.issuer);
  const theirs = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(theirs)) return { state: "unsure", sentence: "The provider does not say what time it is there." };
  const ours = clock.now();
  const apart = `${new Date(theirs).toISOString()} there, ${new Date(ours).toISOString()} here`;
  // Theirs is cut to the second.
  const isFar = Math.abs(theirs - ours) > toleratedMs + 1_000;
  return isFar
    ? { state: "problem", sentence: `The clocks differ: ${apart}. Set both by NTP.` }
    : { state: "ok", sentence: `The clocks agree: ${apart}.` };
}

/** Sends a code that no one has: who refuses that one and not the client has recognized it. */
async function checkClient({ provider, options, addresses, clock }: Checked): ReturnType<Check> {
  const { client, config, metadata } = provider;
  const method = clientAuthMethod(options, metadata);
  await provider.readSecret();
  const form = { code: "dlo-auth-check", redirect_uri: addresses.redirect, code_verifier: "x".repeat(43) };
  try {
    await client.genericGrantRequest(config, "authorization_code", form);
  } catch (error) {
    const { name, error: said } = error as { readonly name?: string; readonly error?: string };
    const isRecognized = name === "ResponseBodyError" && said !== "invalid_client" && said !== "unauthorized_client";
    if (isRecognized) return { state: "ok", sentence: `The provider accepts ${options.clientId} by ${method}.` };
    const asked = { issuer: options.issuer, clientAuth: method, now: clock.now() };
    return { state: "problem", sentence: (await signInFailure(error, asked)).message };
  }
  return { state: "unsure", sentence: "The provider accepted a code that no one has. Tell its administrator." };
}

async function checkRedirect({ provider, options, addresses }: Checked): ReturnType<Check> {
  const { url } = await authorizationUrl(provider, options, { redirectUri: addresses.redirect, prompt: null });
  const response = await askFor(provider, url);
  if (response.status >= 400) {
    const sentence = `The provider refuses to send people back to ${addresses.redirect} (status ${response.status}). Register that address for ${options.clientId} there.`;
    return { state: "problem", sentence };
  }
  const back = URL.parse(response.headers.get("location") ?? "", url);
  const error = back?.href.startsWith(addresses.redirect) ? back.searchParams.get("error") : null;
  if (error === null) return { state: "ok", sentence: `The provider takes ${addresses.redirect}.` };
  const description = back?.searchParams.get("error_description") ?? undefined;
  const said = { name: "AuthorizationResponseError", error, error_description: description };
  const asked = { issuer: options.issuer, clientAuth: null, now: 0 };
  return { state: "problem", sentence: (await signInFailure(Object.assign(new Error(error), said), asked)).message };
}

async function checkClaims({ provider, options }: Checked): ReturnType<Check> {
  const { claims_supported: claims, scopes_supported: scopes } = provider.metadata;
  const asked = scopesOf(options, scopes).join(" ");
  if (!Array.isArray(claims))
    return { state: "unsure", sentence: `DLO asks for ${asked}. The provider does not say which claims it has.` };
  const isNamed = claims.some((claim) => typeof claim === "string" && isPartOf(claim, options));
  if (isNamed)
    return {
      state: "ok",
      sentence: `DLO asks for ${asked}, and the provider has the claim \`${options.rolesClaim}\`.`,
    };
  const sentence = `DLO asks for ${asked}. The provider does not name the claim \`${options.rolesClaim}\`: see that it sends it, or only people under \`people\` get in.`;
  return { state: "unsure", sentence };
}

function isPartOf(claim: string, { rolesClaim }: OidcOptions): boolean {
  return rolesClaim === claim || rolesClaim.startsWith(`${claim}.`);
}

async function checkSignOut({ provider, options, addresses }: Checked): ReturnType<Check> {
  const { end_session_endpoint: page, backchannel_logout_supported: tells } = provider.metadata;
  const here = options.signOut === "here" || page === undefined;
  const out = here ? "Signing out here leaves people signed in there." : "Signing out here signs out there too.";
  const back =
    options.signOut === "return" && !here ? ` Register ${addresses.afterSignOut} as the address after it.` : "";
  const told =
    tells === true
      ? `The provider can tell of its own: register ${addresses.backChannelLogout}.`
      : "The provider does not tell when someone signs out there.";
  return { state: "ok", sentence: `${out}${back} ${told}` };
}
