import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { isReservedName, lookOf } from "../../domain/names-of-people.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { type ConfiguredPerson, listConfiguredPeople, lockNames } from "../../ledger/people/configured-people.ts";
import { type IdentityName, listIdentities } from "../../ledger/people/identities.ts";

interface WantedName {
  readonly name: string;
  /** Who is to have it, as issuers know them. None: somebody new. */
  readonly ways: readonly IdentityName[];
}

/** Why a name must not be theirs that somebody chooses, for themselves or for another: a sentence. Null where it may be. */
export function nameProblem({ name, ways }: WantedName, people: readonly ConfiguredPerson[]): string | null {
  if (isReservedName(name)) return `No person is called ${name}: it stands for the server. Choose another name.`;
  const other = people
    .filter(({ id }) => lookOf(id) === lookOf(name))
    .find((one) => !ways.some((way) => way.issuer === one.issuer && way.subject === one.subject));
  if (other === undefined) return null;
  const { id, subject, issuer } = other;
  return `The configuration gives the name ${id} to ${subject} at ${issuer} (\`people:\`). Choose a name that does not look like it.`;
}

/**
 * Refuses a name that stands for the server, that the configuration gives to an identity, or that looks like one of those. Nobody else
 * gets a name until the transaction ends.
 */
export async function requireAllowedName(
  ledger: Ledger,
  queries: Queries,
  { name, person }: { readonly name: string; readonly person: string | null },
): Promise<void> {
  await lockNames(ledger, queries);
  const ways = person === null ? [] : await listIdentities(ledger, queries, person);
  const problem = nameProblem({ name, ways }, await listConfiguredPeople(ledger, queries));
  if (problem !== null) throw new OfficeError("INVALID_OPTION", problem, { details: { name } });
}
