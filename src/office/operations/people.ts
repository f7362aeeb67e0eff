import { z } from "zod";
import { OfficeError } from "../../domain/errors.ts";
import { recordAction } from "../../ledger/audit.ts";
import { canComeIn, lockIdentity, putIdentity } from "../../ledger/people/identities.ts";
import { addInvitation } from "../../ledger/people/invitations.ts";
import { addPerson, changePerson, countAdmins, listPeople, lockPerson } from "../../ledger/people/people.ts";
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
      }),
    ),
    next: z.null(),
  }),
  run: async ({ ledger }) => {
    const people = await listPeople(ledger);
    return { items: people.map((person) => ({ ...person, roles: [...person.roles] })), next: null };
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
      if (!(await addPerson(ledger, transaction, person)))
        throw new OfficeError("INVALID_OPTION", `There is already somebody called ${person.id}. Choose another name.`);
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
      const person = await lockPerson(ledger, transaction, change.id);
      if (person === null) throw new OfficeError("PERSON_NOT_FOUND", `There is nobody called ${change.id}.`);
      const { roles: next = person.roles, isDisabled = person.disabledAt !== null } = change;
      await changePerson(ledger, transaction, { id: person.id, roles: next, isDisabled });
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
      if ((await lockPerson(ledger, transaction, id)) === null)
        throw new OfficeError("PERSON_NOT_FOUND", `There is nobody called ${id}.`);
      const before = await lockIdentity(ledger, transaction, identity);
      await putIdentity(ledger, transaction, identity, { person: id, givesRoles: false });
      // Whoever can come in no more is not there any more: their sessions end, and their approvals count for nothing.
      const was = before === null || before.person === id ? null : await lockPerson(ledger, transaction, before.person);
      if (was !== null && !(await canComeIn(ledger, transaction, was.id)))
        await changePerson(ledger, transaction, { id: was.id, roles: was.roles, isDisabled: true });
      await keepAnAdmin(office, transaction);
      const details = { person: id, ...identity, from: before?.person ?? null };
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "people.joined", details });
      return { id };
    }),
});

/** With nobody left who can let others in, only the database could. */
async function keepAnAdmin({ ledger }: Office, transaction: Parameters<typeof countAdmins>[1]): Promise<void> {
  if ((await countAdmins(ledger, transaction)) > 0) return;
  throw new OfficeError("NOT_ALLOWED", "Then nobody would be an admin any more. Make somebody else one first.");
}
