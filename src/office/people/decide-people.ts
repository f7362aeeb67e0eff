import type { ConfiguredPerson } from "../../ledger/people/configured-people.ts";
import type { IdentityName, KnownIdentity } from "../../ledger/people/identities.ts";

export type HeldIdentity = IdentityName & KnownIdentity;

/** What a new `people:` of the configuration means for an identity that has come in before. */
export interface PeopleChange {
  readonly identity: HeldIdentity;
  /** Of its account, from now on. None: sessions and tokens end too. */
  readonly roles: readonly string[];
  readonly isConfigured: boolean;
}

/** Whom the configuration names has its roles at once, and whom it no longer names has none. The directory's people are left alone. */
export function decidePeople(
  people: readonly ConfiguredPerson[],
  identities: readonly HeldIdentity[],
): readonly PeopleChange[] {
  return identities.flatMap((identity): PeopleChange[] => {
    const configured = people.find((one) => isSameIdentity(one, identity));
    if (configured !== undefined && (identity.givesRoles || isAgreed(configured, identity, identities)))
      return [{ identity, roles: configured.roles, isConfigured: true }];
    return identity.isConfigured ? [{ identity, roles: [], isConfigured: false }] : [];
  });
}

/** An admin joined it to the account that the configuration names too, which has its roles by no other. */
function isAgreed({ id }: ConfiguredPerson, { person }: HeldIdentity, identities: readonly HeldIdentity[]): boolean {
  return id === person && !identities.some((other) => other.person === person && other.givesRoles);
}

/** Ids of the configuration that are an account of others: whom they are for is refused until an admin frees them. */
export function heldIds(
  people: readonly ConfiguredPerson[],
  identities: readonly HeldIdentity[],
  accounts: readonly string[],
): readonly string[] {
  return people
    .filter(({ id }) => accounts.includes(id))
    .filter((one) => !identities.some((identity) => isSameIdentity(one, identity)))
    .map(({ id }) => id);
}

export function isSameIdentity(one: IdentityName, other: IdentityName): boolean {
  return one.issuer === other.issuer && one.subject === other.subject;
}
