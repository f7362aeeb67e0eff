import type { Identity } from "../../domain/identity.ts";
import type { ConfiguredPerson } from "../../ledger/people/configured-people.ts";
import type { KnownIdentity } from "../../ledger/people/identities.ts";
import { freeName } from "./free-name.ts";

/** What is known when an issuer has said who somebody is. */
export interface SignInFacts {
  readonly identity: Identity;
  /** Null for somebody who never came that way. */
  readonly known: KnownIdentity | null;
  /** The person that the configuration says this identity is. */
  readonly configured: ConfiguredPerson | null;
  /** The account that `known` or else `configured` names; null where there is none. */
  readonly account: { readonly id: string; readonly isDisabled: boolean } | null;
  /** Roles that the identity's groups give, by the configuration. */
  readonly directoryRoles: readonly string[];
  /** Names that are somebody's, or will be by the configuration. */
  readonly taken: readonly string[];
}

export type SignInDecision =
  | {
      readonly kind: "enter";
      readonly person: string;
      readonly isNew: boolean;
      /** From now on; null: those that the account has. */
      readonly roles: readonly string[] | null;
      readonly isConfigured: boolean;
    }
  /** `ends`: whose roles, sessions and tokens are over. Null: nobody came in by this before. */
  | { readonly kind: "without_role"; readonly ends: string | null }
  | { readonly kind: "shut_out" }
  /** The name that the configuration gives is another's. */
  | { readonly kind: "name_held"; readonly id: string }
  | { readonly kind: "no_name" };

/**
 * Which account an identity comes in by, with which roles. An account that is there is another person's unless the ledger says that
 * it is this identity's: no name makes anyone someone else, neither the issuer's nor the configuration's.
 */
export function decideSignIn(facts: SignInFacts): SignInDecision {
  const { known, configured, account, directoryRoles } = facts;
  if (known !== null) {
    if (account === null || account.isDisabled) return { kind: "shut_out" };
    const given = rolesOfKnown(known, configured, directoryRoles);
    if (given.roles?.length === 0) return { kind: "without_role", ends: known.person };
    return { kind: "enter", person: known.person, isNew: false, ...given };
  }
  if (configured !== null && account !== null) return { kind: "name_held", id: configured.id };
  const roles = configured?.roles ?? directoryRoles;
  if (roles.length === 0) return { kind: "without_role", ends: null };
  const person = configured?.id ?? freeName(facts.identity, facts.taken);
  if (person === null) return { kind: "no_name" };
  return { kind: "enter", person, isNew: true, roles, isConfigured: configured !== null };
}

/**
 * The configuration's before the directory's. Where an admin joined it to an account, that has roles of its own, or of its one other
 * identity: two that both gave roles would each raise what the other may.
 */
function rolesOfKnown(
  { givesRoles }: KnownIdentity,
  configured: ConfiguredPerson | null,
  directoryRoles: readonly string[],
): { readonly roles: readonly string[] | null; readonly isConfigured: boolean } {
  if (!givesRoles) return { roles: null, isConfigured: false };
  return { roles: configured?.roles ?? directoryRoles, isConfigured: configured !== null };
}
