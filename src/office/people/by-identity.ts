import type { Actor } from "../../domain/actor.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { Identity } from "../../domain/identity.ts";
import { recordAction } from "../../ledger/audit.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { listConfiguredPeople, lockNames } from "../../ledger/people/configured-people.ts";
import { endAccess } from "../../ledger/people/end-access.ts";
import { type KnownIdentity, listIdentities, lockIdentity, putIdentity } from "../../ledger/people/identities.ts";
import { addPerson, changePerson, lockPerson, type Person, takenNames } from "../../ledger/people/people.ts";
import type { NamedRole } from "../../ledger/people/roles.ts";
import type { HeldIdentity } from "./decide-people.ts";
import { decideSignIn, type SignInDecision } from "./decide-sign-in.ts";
import { requireSeenLately, suspendAfterMs } from "./suspensions.ts";

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
}

type Entry = Extract<SignInDecision, { kind: "enter" }>;

/** What the ledger had when somebody came. */
interface Arrival {
  readonly identity: Identity;
  readonly known: KnownIdentity | null;
  readonly account: Person | null;
}

/**
 * The person an identity is, made when they come for the first time. Their roles are what the configuration says of them, or
 * else those of its roles that the issuer names, each time anew. No role of the office's own can be had by a group's name: a
 * group called admin in somebody's directory must not make an admin here. Who has lost the last role has lost it when they are
 * refused: that is written down, and their sessions and tokens end.
 */
export async function personBy(
  parts: IdentityParts,
  identity: Identity,
  /** Done for who enters, in the same transaction: no one is renamed or loses a role in between. @default nothing */
  onEnter: (transaction: Queries, person: string) => Promise<void> = async () => {},
): Promise<string> {
  const { ledger } = parts;
  const afterMs = await suspendAfterMs(ledger);
  const answer = await ledger.database.transaction(async (transaction) => {
    const { arrival, decision } = await decide(parts, transaction, identity);
    switch (decision.kind) {
      case "enter":
        if (arrival.known?.givesRoles === false)
          await requireSeenLately(ledger, transaction, { person: decision.person, afterMs });
        await enter(parts, transaction, arrival, decision);
        await onEnter(transaction, decision.person);
        return decision.person;
      case "without_role":
        if (decision.ends !== null) await endRoles(parts, transaction, arrival);
        return withoutRole(identity);
      case "name_held":
        return nameHeld(decision.id, await listIdentities(ledger, transaction, decision.id));
      case "shut_out":
        return refused("An admin of this office has shut you out. Nobody was signed in.");
      case "no_name":
        return refused(
          "Every name you could have here is somebody else's. Ask an admin to add you by a name of yours.",
        );
    }
  });
  if (answer instanceof OfficeError) throw answer;
  return answer;
}

/** A group that is only called like a role that has groups of its own gives nothing. */
function rolesOfGroups(roles: readonly RoleOfGroups[], given: readonly string[]): readonly string[] {
  return roles
    .filter(({ name, groups = [name] }) => groups.some((group) => given.includes(group)))
    .map(({ name }) => name);
}

async function decide(
  { ledger, roles }: IdentityParts,
  transaction: Queries,
  identity: Identity,
): Promise<{ readonly arrival: Arrival; readonly decision: SignInDecision }> {
  await lockNames(ledger, transaction);
  const known = await lockIdentity(ledger, transaction, identity);
  const people = await listConfiguredPeople(ledger, transaction);
  const isThey = (one: Pick<Identity, "issuer" | "subject">) =>
    one.issuer === identity.issuer && one.subject === identity.subject;
  const configured = people.find(isThey) ?? null;
  const id = known?.person ?? configured?.id ?? null;
  const account = id === null ? null : await lockPerson(ledger, transaction, id);
  const decision = decideSignIn({
    ...{ identity, known, configured },
    account: account && { id: account.id, isDisabled: account.disabledAt !== null },
    directoryRoles: rolesOfGroups(roles, identity.groups),
    taken: id === null ? [...(await takenNames(ledger, transaction)), ...people.map((one) => one.id)] : [],
  });
  return { arrival: { identity, known, account }, decision };
}

async function enter(
  parts: IdentityParts,
  transaction: Queries,
  { identity, known, account }: Arrival,
  { person: id, isNew, roles, isConfigured }: Entry,
): Promise<void> {
  const { ledger } = parts;
  const givesRoles = known?.givesRoles ?? true;
  if (isNew) await addPerson(ledger, transaction, { id, kind: "human", roles: roles ?? [] });
  const isChanged = roles !== null && [...(account?.roles ?? [])].sort().join() !== [...roles].sort().join();
  if (!isNew && isChanged) await changePerson(ledger, transaction, { id, roles, isDisabled: false });
  await putIdentity(ledger, transaction, identity, { person: id, givesRoles, isConfigured, isSeen: true });
  if (isNew || isChanged) await remember(parts, transaction, { identity, id, from: account?.roles ?? null, to: roles });
}

async function endRoles(
  parts: IdentityParts,
  transaction: Queries,
  { identity, known, account }: Arrival,
): Promise<void> {
  if (account === null || known === null) return;
  const { ledger } = parts;
  await changePerson(ledger, transaction, { id: account.id, roles: [], isDisabled: account.disabledAt !== null });
  await endAccess(ledger, transaction, account.id);
  if (account.roles.length === 0) return;
  await remember(parts, transaction, { identity, id: account.id, from: account.roles, to: [] });
}

interface RoleChange {
  readonly identity: Identity;
  readonly id: string;
  readonly from: readonly string[] | null;
  readonly to: readonly string[] | null;
}

async function remember(
  { ledger, clock }: IdentityParts,
  transaction: Queries,
  { identity: { issuer, subject }, id, from, to }: RoleChange,
): Promise<void> {
  const actor: Actor = { id, kind: "human", roles: [] };
  const action = to?.length === 0 ? "people.lost_roles" : "people.by_identity";
  await recordAction(ledger, transaction, { at: clock.now(), actor, action, details: { issuer, subject, from, to } });
}

/** Who has an account, in words. */
export function heldBy(ways: readonly HeldIdentity[]): string {
  const names = ways.map(({ issuer, subject }) => `${subject} at ${issuer}`);
  return names.length === 0 ? "an account that an admin made here" : names.join(" and ");
}

function nameHeld(id: string, ways: readonly HeldIdentity[]): OfficeError {
  // Joined to an account that has its roles by another identity, the configuration's roles would be that one's too.
  const join = ways.some(({ givesRoles }) => givesRoles)
    ? ""
    : `, or join you to it if it is you (dlo people join ${id})`;
  return refused(
    `The configuration says that you are ${id}, and ${id} is another account: ${heldBy(ways)}. An admin can free the name (dlo people rename ${id} --to NEW-NAME)${join}.`,
    { person: id },
  );
}

function withoutRole({ issuer, subject, groups, missingClaim }: Identity): OfficeError {
  return refused(
    `You have no role in this office. ${missingClaim ?? noGroupGivesOne(groups)} Or ask an admin to add you under \`people\` (${issuer}, ${subject}).`,
    { issuer, subject },
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

function refused(sentence: string, details: Readonly<Record<string, string>> = {}): OfficeError {
  return new OfficeError("SIGN_IN_REFUSED", sentence, { details });
}
