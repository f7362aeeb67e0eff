import type { OidcOptions } from "../domain/identity.ts";
import type { Config } from "./config.ts";
import type { Reference, ReferenceOrigin } from "./reference.ts";

/** Where people sign in by OpenID Connect. */
export function issuerOf(config: Config | null, origin: ReferenceOrigin): OidcOptions | null {
  const oidc = config?.signIn.oidc;
  if (oidc === undefined) return null;
  const { clientSecret, privateKey, ca, checkEvery: _, ...named } = oidc;
  const readLater = (reference: Reference | undefined) =>
    reference === undefined ? null : () => reference.resolve(origin);
  return {
    ...named,
    ...{ clientSecret: readLater(clientSecret), privateKey: readLater(privateKey), ca: readLater(ca) },
  };
}

/** Roles of the configuration, with the groups that give them. */
export function rolesOf(config: Config | null) {
  return (config?.roles ?? []).map(({ reveal, groups, ...role }) => ({
    ...role,
    reveals: reveal,
    ...(groups === undefined ? {} : { groups }),
  }));
}

/** People of the configuration, by who they are at an issuer; null where it says nothing of people. */
export function peopleOf({ people }: Config) {
  return people?.map(({ id, roles, oidc }) => ({ id, roles, issuer: oidc.iss, subject: oidc.sub })) ?? null;
}
