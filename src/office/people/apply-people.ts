import type { Clock } from "../../domain/clock.ts";
import type { Queries } from "../../domain/database.ts";
import { recordAction } from "../../ledger/audit.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import {
  type ConfiguredPerson,
  listConfiguredPeople,
  lockNames,
  replaceConfiguredPeople,
} from "../../ledger/people/configured-people.ts";
import { endSignIns } from "../../ledger/people/end-access.ts";
import { forgetSeen, listIdentities, noteConfigured } from "../../ledger/people/identities.ts";
import { changePerson, lockPerson, personIds } from "../../ledger/people/people.ts";
import { officeItself } from "../intake/own-drain.ts";
import { heldBy } from "./by-identity.ts";
import { decidePeople, heldIds, type PeopleChange } from "./decide-people.ts";

export interface ApplyPeopleParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
}

/** A name that the configuration gives to one identity, and that is another's account. */
interface HeldName {
  readonly id: string;
  /** In words. */
  readonly by: string;
}

/**
 * Puts `people:` of the configuration in force: their names are theirs from now on, those who came in before have the roles it says,
 * and those it no longer names have none, nor a session or a token.
 */
export function applyPeople(parts: ApplyPeopleParts, people: readonly ConfiguredPerson[]): Promise<void> {
  const { ledger } = parts;
  return ledger.database.transaction(async (transaction) => {
    await lockNames(ledger, transaction);
    await replaceConfiguredPeople(ledger, transaction, people);
    for (const change of decidePeople(people, await listIdentities(ledger, transaction)))
      await carryOut(parts, transaction, change);
  });
}

/** How the people in force differ from those of this process, in a sentence; null where they don't. */
export async function differenceIn(ledger: Ledger, own: readonly ConfiguredPerson[] | null): Promise<string | null> {
  const inForce = await listConfiguredPeople(ledger, ledger.database);
  if (own === null)
    return inForce.length === 0
      ? null
      : "This configuration says nothing of people, and those of another are in force. Write `people: []` where there are to be none.";
  if (writtenOut(own) === writtenOut(inForce)) return null;
  return "Another process put another `people:` in force. Give every process the same configuration, and start this one again.";
}

function writtenOut(people: readonly ConfiguredPerson[]): string {
  const lines = people.map(({ id, issuer, subject, roles }) => JSON.stringify([id, issuer, subject, roles]));
  return lines.sort().join();
}

/** Those there are now, whoever applied the configuration. */
export async function heldNames(ledger: Ledger): Promise<readonly HeldName[]> {
  const { database } = ledger;
  const people = await listConfiguredPeople(ledger, database);
  if (people.length === 0) return [];
  const held = heldIds(people, await listIdentities(ledger, database), await personIds(ledger, database));
  return Promise.all(held.map(async (id) => ({ id, by: heldBy(await listIdentities(ledger, database, id)) })));
}

async function carryOut(
  { ledger, clock }: ApplyPeopleParts,
  transaction: Queries,
  { identity, roles, isConfigured }: PeopleChange,
): Promise<void> {
  const { issuer, subject } = identity;
  if (identity.isConfigured !== isConfigured)
    await noteConfigured(ledger, transaction, { issuer, subject, isConfigured });
  const person = await lockPerson(ledger, transaction, identity.person);
  if (person === null || [...person.roles].sort().join() === [...roles].sort().join()) return;
  const { id, disabledAt, roles: from } = person;
  await changePerson(ledger, transaction, { id, roles, isDisabled: disabledAt !== null });
  if (roles.length === 0) {
    await endSignIns(ledger, transaction, id);
    // Tokens wait for a sign-in rather than end for good: the wrong file may have been read for a minute.
    await forgetSeen(ledger, transaction, identity);
  }
  const details = { person: id, issuer, subject, from, to: roles };
  await recordAction(ledger, transaction, {
    at: clock.now(),
    actor: officeItself,
    action: "people.configured",
    details,
  });
}
