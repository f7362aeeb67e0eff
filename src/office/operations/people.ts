import { z } from "zod";
import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { recordAction } from "../../ledger/audit.ts";
import { listConfiguredPeople, lockNames } from "../../ledger/people/configured-people.ts";
import { endAccess } from "../../ledger/people/end-access.ts";
import {
  canComeIn,
  type IdentityName,
  type KnownIdentity,
  listIdentities,
  lockIdentity,
  putIdentity,
} from "../../ledger/people/identities.ts";
import { addInvitation } from "../../ledger/people/invitations.ts";
import {
  addPerson,
  changePerson,
  countAdmins,
  listPeople,
  lockPerson,
  type Person,
} from "../../ledger/people/people.ts";
import { noteFormerName, renamePerson } from "../../ledger/people/rename-person.ts";
import { endSessionsOf } from "../../ledger/people/sessions.ts";
import { requireAllowedName } from "../people/allowed-name.ts";
import { decideJoin, type JoinDecision } from "../people/decide-join.ts";
import { isSameIdentity } from "../people/decide-people.ts";
import { digestOf } from "../people/digest.ts";
import { type Office, operation } from "./operation.ts";
import { requireKnownRoles } from "./roles.ts";

const invitationMs = 3 * 86_400_000;

const personId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "letters, digits, dots, dashes, underscores");
/** The four that hold everywhere, and those that hold in some queues. */
const ownRoles = z.array(z.string()).max(50);

export const listEverybody = operation({
  name: "people.list",
  summary: "who may come in, and with which roles",
  role: "admin",
  input: z.object({}),
  output: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(["human", "agent", "demo"]),
        roles: ownRoles,
        hasPassword: z.boolean(),
        madeAt: z.string(),
        disabledAt: z.string().nullable(),
        /** Who they are at issuers, and when each said so last. */
        identities: z.array(
          z.object({ issuer: z.string(), subject: z.string(), isConfigured: z.boolean(), seenAt: z.string() }),
        ),
      }),
    ),
    next: z.null(),
  }),
  run: async ({ ledger }) => {
    const people = await listPeople(ledger);
    const identities = await listIdentities(ledger, ledger.database);
    const items = people.map(({ hasIdentity: _, ...person }) => ({
      ...person,
      roles: [...person.roles],
      identities: identities
        .filter((each) => each.person === person.id)
        .map(({ issuer, subject, isConfigured, seenAt }) => ({
          issuer,
          subject,
          isConfigured,
          seenAt: seenAt.toISOString(),
        })),
    }));
    return { items, next: null };
  },
});

/** The code is shown here and nowhere else: with it the person chooses a password, at /setup#CODE. */
const invitation = z.object({ id: z.string(), code: z.string().nullable() });

export const addPersonByName = operation({
  name: "people.add",
  summary: "lets somebody in: gives a code with which they choose a password, within three days",
  role: "admin",
  inPerson: true,
  isSecret: true,
  input: z.object({ id: personId, roles: ownRoles, kind: z.enum(["human", "agent"]).default("human") }),
  output: invitation,
  run: async (office, person, actor) => {
    await requireKnownRoles(office, person.roles);
    return office.ledger.database.transaction(async (transaction) => {
      const { ledger, clock, newSecret } = office;
      await requireAllowedName(ledger, transaction, { name: person.id, person: null });
      if (!(await addPerson(ledger, transaction, person))) throw alreadyThere(person.id);
      // An agent has tokens, which its keeper makes; it never signs in.
      const code = person.kind === "agent" ? null : newSecret();
      if (code !== null)
        await addInvitation(ledger, transaction, { digest: digestOf(code), person: person.id, lastsMs: invitationMs });
      const details = { person: person.id, kind: person.kind, roles: person.roles };
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "people.added", details });
      return { id: person.id, code };
    });
  },
});

export const changePersonByName = operation({
  name: "people.change",
  summary: "gives somebody other roles, shuts them out, or lets them choose a new password",
  role: "admin",
  inPerson: true,
  isSecret: true,
  input: z.object({
    id: z.string(),
    roles: ownRoles.optional(),
    isDisabled: z.boolean().optional(),
    invite: z.boolean().default(false),
  }),
  output: invitation,
  run: async (office, change, actor) => {
    await requireKnownRoles(office, change.roles ?? []);
    return office.ledger.database.transaction(async (transaction) => {
      const { ledger, clock, newSecret } = office;
      // Two admins who change each other would each count the other as the one who is left.
      await lockNames(ledger, transaction);
      const person = await requirePerson(office, transaction, change.id);
      const { roles: next = person.roles, isDisabled = person.disabledAt !== null } = change;
      await changePerson(ledger, transaction, { id: person.id, roles: next, isDisabled });
      // What they could come in by would work again as soon as they are let in again.
      if (isDisabled || next.length === 0) await endAccess(ledger, transaction, person.id);
      await keepAnAdmin(office, transaction);
      const code = change.invite ? newSecret() : null;
      if (code !== null)
        await addInvitation(ledger, transaction, { digest: digestOf(code), person: person.id, lastsMs: invitationMs });
      const details = { person: person.id, from: person.roles, to: next, isDisabled, invited: change.invite };
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "people.changed", details });
      return { id: person.id, code };
    });
  },
});

export const joinIdentity = operation({
  name: "people.join",
  summary: "says that somebody at an issuer is this person: four eyes count people, not their ways in",
  role: "admin",
  inPerson: true,
  input: z.object({ id: z.string(), issuer: z.string(), subject: z.string() }),
  output: z.object({ id: z.string() }),
  run: (office, { id, ...identity }, actor) =>
    office.ledger.database.transaction(async (transaction) => {
      const { ledger, clock } = office;
      await lockNames(ledger, transaction);
      await requirePerson(office, transaction, id);
      const before = await lockIdentity(ledger, transaction, identity);
      const people = await listConfiguredPeople(ledger, transaction);
      const configured = people.find((one) => isSameIdentity(one, identity)) ?? null;
      const ways = await listIdentities(ledger, transaction, id);
      const decision = decideJoin({ id, identity, configured, ways });
      if (decision.kind === "refuse") throw otherGiver(id, decision.giver);
      await carryOutJoin(office, transaction, { id, identity, before, decision });
      await keepAnAdmin(office, transaction);
      const details = { person: id, ...identity, from: before?.person ?? null };
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "people.joined", details });
      return { id };
    }),
});

interface Joining {
  readonly id: string;
  readonly identity: IdentityName;
  readonly before: KnownIdentity | null;
  readonly decision: Extract<JoinDecision, { kind: "join" }>;
}

async function carryOutJoin(
  office: Office,
  transaction: Queries,
  { id, identity, before, decision: { givesRoles, roles } }: Joining,
): Promise<void> {
  const { ledger } = office;
  // One that has its roles from elsewhere goes on having them: joined to its own account, nothing changes.
  if (before?.person === id && (before.givesRoles || !givesRoles)) return;
  await putIdentity(ledger, transaction, identity, { person: id, givesRoles, isConfigured: givesRoles, isSeen: false });
  const isDisabled = (await requirePerson(office, transaction, id)).disabledAt !== null;
  if (roles !== null) await changePerson(ledger, transaction, { id, roles, isDisabled });
  if (before !== null && before.person !== id) await leaveAccount(office, transaction, { before, to: id });
}

function otherGiver(id: string, { issuer, subject }: IdentityName): OfficeError {
  return new OfficeError(
    "NOT_ALLOWED",
    `${id} has its roles by ${subject} at ${issuer}, so the configuration's for ${id} would be theirs too. Rename that account, then sign in: dlo people rename ${id} --to NEW-NAME`,
    { details: { person: id } },
  );
}

/**
 * Roles that an account had by an identity go with it. Whoever can come in no more is not there any more: their sessions end, their
 * approvals count for nothing, and what they asked for they asked for as the person they are joined to.
 */
async function leaveAccount(
  { ledger }: Office,
  transaction: Queries,
  { before, to }: { readonly before: KnownIdentity; readonly to: string },
): Promise<void> {
  const was = await lockPerson(ledger, transaction, before.person);
  if (was === null) return;
  const isDisabled = was.disabledAt !== null || !(await canComeIn(ledger, transaction, was.id));
  const roles = before.givesRoles ? [] : was.roles;
  await changePerson(ledger, transaction, { id: was.id, roles, isDisabled });
  if (before.givesRoles || isDisabled) await endAccess(ledger, transaction, was.id);
  if (isDisabled) await noteFormerName(ledger, transaction, { id: was.id, to });
}

export const renamePersonByName = operation({
  name: "people.rename",
  summary: "calls an account otherwise, and so frees its name; its sessions end",
  role: "admin",
  inPerson: true,
  input: z.object({ id: z.string(), to: personId }),
  output: z.object({ id: z.string() }),
  run: (office, { id, to }, actor) =>
    office.ledger.database.transaction(async (transaction) => {
      const { ledger, clock } = office;
      await requireAllowedName(ledger, transaction, { name: to, person: id });
      await requirePerson(office, transaction, id);
      if ((await lockPerson(ledger, transaction, to)) !== null) throw alreadyThere(to);
      await renamePerson(ledger, transaction, { id, to });
      // Whoever has a page open should see under which name they act.
      await endSessionsOf(ledger, transaction, to);
      const details = { person: id, to };
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "people.renamed", details });
      return { id: to };
    }),
});

async function requirePerson({ ledger }: Office, transaction: Queries, id: string): Promise<Person> {
  const person = await lockPerson(ledger, transaction, id);
  if (person !== null) return person;
  throw new OfficeError("PERSON_NOT_FOUND", `There is nobody called ${id}.`, {
    details: { hint: "`dlo people list` shows who there is." },
  });
}

function alreadyThere(id: string): OfficeError {
  return new OfficeError("INVALID_OPTION", `There is already somebody called ${id}. Choose another name.`);
}

/** With nobody left who can let others in, only the database could. */
async function keepAnAdmin({ ledger }: Office, transaction: Queries): Promise<void> {
  if ((await countAdmins(ledger, transaction)) > 0) return;
  throw new OfficeError("NOT_ALLOWED", "Then nobody would be an admin any more. Make somebody else one first.");
}
