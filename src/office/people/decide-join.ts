import type { ConfiguredPerson } from "../../ledger/people/configured-people.ts";
import { type HeldIdentity, isSameIdentity } from "./decide-people.ts";

export interface JoinFacts {
  readonly id: string;
  readonly identity: { readonly issuer: string; readonly subject: string };
  /** The person that the configuration says the identity is. */
  readonly configured: ConfiguredPerson | null;
  /** By which the account is known now. */
  readonly ways: readonly HeldIdentity[];
}

export type JoinDecision =
  /** `roles`: of the account from now on; null where it has its own. */
  | { readonly kind: "join"; readonly givesRoles: boolean; readonly roles: readonly string[] | null }
  | { readonly kind: "refuse"; readonly giver: HeldIdentity };

/**
 * An account has its roles by one identity at most. One that the configuration names by that id becomes it, unless there is another:
 * the roles that the configuration gives to one would be the other's too.
 */
export function decideJoin({ id, identity, configured, ways }: JoinFacts): JoinDecision {
  if (configured?.id !== id) return { kind: "join", givesRoles: false, roles: null };
  const giver = ways.find((way) => way.givesRoles && !isSameIdentity(way, identity));
  return giver === undefined ? { kind: "join", givesRoles: true, roles: configured.roles } : { kind: "refuse", giver };
}
