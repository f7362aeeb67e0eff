import type { OidcOptions } from "../domain/identity.ts";
import type { Config } from "./config.ts";
import type { ReferenceOrigin } from "./reference.ts";

/** Where people sign in by OpenID Connect. */
export function issuerOf(config: Config | null, origin: ReferenceOrigin): OidcOptions | null {
  const oidc = config?.signIn.oidc;
  return oidc === undefined ? null : { ...oidc, clientSecret: () => oidc.clientSecret.resolve(origin) };
}

/** People of the configuration, by who they are at an issuer. */
export function peopleOf(config: Config | null) {
  return (config?.people ?? []).map(({ id, roles, oidc }) => ({ id, roles, ...oidc }));
}
