import { createHash } from "node:crypto";
import type { Actor } from "../../domain/actor.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { Identity } from "../../domain/identity.ts";
import { recordAction } from "../../ledger/audit.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { lockIdentity, putIdentity } from "../../ledger/people/identities.ts";
import { addPerson, changePerson, lockPerson } from "../../ledger/people/people.ts";
import type { NamedRole } from "../../ledger/people/roles.ts";

/** Somebody whom the configuration knows at an issuer. */
export interface ConfiguredPerson {
  readonly id: string;
  readonly iss: string;
  readonly sub: string;
  readonly roles: readonly string[];
}

/** A role of the configuration. */
export interface RoleOfGroups extends NamedRole {
  /** Groups of the identity provider that give it. @default one of the role's own name */
  readonly groups?: readonly string[];
}

export interface IdentityParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Roles of the configuration, which groups give. */
  readonly roles: readonly RoleOfGroups[];
  readonly people: readonly ConfiguredPerson[];
}

/**
 * The person an identity is, made when they come for the first time. Their roles are what the configuration says of them, or
 * else those of its roles that the issuer names, each time anew. No role of the office's own can be had by a group's name: a
 * group called admin in somebody's directory must not make an admin here.
 */
export function personBy({ ledger, clock, ...given }: IdentityParts, identity: Identity): Promise<string> {
  return ledger.database.transaction(async (transaction) => {
    const known = await lockIdentity(ledger, transaction, identity);
    const configured = given.people.find(({ iss, sub }) => iss === identity.issuer && sub === identity.subject);
    const id = known?.person ?? configured?.id ?? (await freeName(ledger, transaction, identity));
    const person = await lockPerson(ledger, transaction, id);
    if (person !== null && person.disabledAt !== null) throw shutOut();
    if (known?.givesRoles === false) return id;
    const roles = configured?.roles ?? rolesOfGroups(given.roles, identity.groups);
    if (roles.length === 0) throw withoutRole(identity);
    const isSame = person !== null && [...person.roles].sort().join() === [...roles].sort().join();
    if (known !== null && isSame) return id;
    // Somebody who is there already is another person, unless the ledger or the configuration says that it is this one.
    const mayBeThem = known !== null || configured !== undefined;
    if (person !== null && mayBeThem) await changePerson(ledger, transaction, { id, roles, isDisabled: false });
    else if (person !== null || !(await addPerson(ledger, transaction, { id, kind: "human", roles })))
      throw nameTaken(id);
    await putIdentity(ledger, transaction, identity, { person: id, givesRoles: true });
    const actor: Actor = { id, kind: "human", roles: [] };
    const details = { issuer: identity.issuer, subject: identity.subject, from: person?.roles ?? null, to: roles };
    await recordAction(ledger, transaction, { at: clock.now(), actor, action: "people.by_identity", details });
    return id;
  });
}

/** A group that is only called like a role that has groups of its own gives nothing. */
function rolesOfGroups(roles: readonly RoleOfGroups[], given: readonly string[]): readonly string[] {
  return roles
    .filter(({ name, groups = [name] }) => groups.some((group) => given.includes(group)))
    .map(({ name }) => name);
}

/** A name that nobody has: whoever is called the same elsewhere is not taken for the same person. */
async function freeName(ledger: Ledger, queries: Queries, { issuer, subject, name }: Identity): Promise<string> {
  const wanted = (name ?? "")
    .replaceAll(/[^A-Za-z0-9._-]/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 50);
  if (wanted !== "" && (await lockPerson(ledger, queries, wanted)) === null) return wanted;
  const digest = createHash("sha256").update(`${issuer}\n${subject}`).digest("hex").slice(0, 12);
  return `${wanted || "person"}-${digest}`;
}

function nameTaken(id: string): OfficeError {
  return new OfficeError("SIGN_IN_REFUSED", `Somebody else became ${id} at this moment. Sign in again.`);
}

function shutOut(): OfficeError {
  return new OfficeError("SIGN_IN_REFUSED", "An admin of this office has shut you out. Nobody was signed in.");
}

function withoutRole({ issuer, subject, groups, missingClaim }: Identity): OfficeError {
  return new OfficeError(
    "SIGN_IN_REFUSED",
    `You have no role in this office. ${missingClaim ?? noGroupGivesOne(groups)} Or ask an admin to add you under \`people\` (${issuer}, ${subject}).`,
    { details: { issuer, subject } },
  );
}

const mostShown = 10;

function noGroupGivesOne(groups: readonly string[]): string {
  if (groups.length === 0)
    return "The provider says that you are in no group. Ask its administrator for one that gives a role.";
  const more = groups.length > mostShown ? ` and ${groups.length - mostShown} more` : "";
  const named = groups.slice(0, mostShown).map((group) => JSON.stringify(group.slice(0, 100)));
  return `None of your groups gives one: ${named.join(", ")}${more}. Name one under \`roles[].groups\`, or ask for another group.`;
}
