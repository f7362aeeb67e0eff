import type { ProviderAddresses } from "../domain/sign-in-check.ts";
import { type PublicAddress, parseListen, publicAddress } from "./public-address.ts";

/** Where the routes of sign-in by OpenID Connect are, below the base path. */
export const oidcPath = "/auth/oidc";

/** What an identity provider has to know of this server. */
export function providerAddresses({ origin, basePath }: PublicAddress): ProviderAddresses {
  const base = `${origin}${basePath}`;
  return {
    redirect: `${base}${oidcPath}/callback`,
    afterSignOut: `${base}/`,
    backChannelLogout: `${base}${oidcPath}/back-channel`,
  };
}

/** As the configuration has it, for a server that doesn't have to run. `listen`: where it listens instead; empty for where the configuration says. */
export function addressesAt(
  configured: { readonly publicUrl: string | null; readonly basePath: string; readonly listen: string },
  listen = "",
): ProviderAddresses {
  const { publicUrl, basePath } = configured;
  return providerAddresses(publicAddress(publicUrl, parseListen(listen || configured.listen), basePath));
}
