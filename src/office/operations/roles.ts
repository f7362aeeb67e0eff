import { z } from "zod";
import { roles } from "../../domain/actor.ts";
import { OfficeError } from "../../domain/errors.ts";
import { nearestName } from "../../domain/options.ts";
import { recordAction } from "../../ledger/audit.ts";
import { listRoles, type NamedRole, putRole, removeRole } from "../../ledger/people/roles.ts";
import { builtIn } from "../people/standing.ts";
import { type Office, operation } from "./operation.ts";

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "letters, digits, dots, dashes, underscores");

const roleShape = z.object({
  name,
  is: z.enum([...roles, "agent"]),
  /** `source/queue`; `*` stands for any characters. */
  queues: z.array(z.string().min(1)).min(1).max(200),
  /** May see what is masked there. */
  reveals: z.boolean(),
});

export const listNamedRoles = operation({
  name: "roles.list",
  summary: "roles that hold in some queues, of the configuration and of the ledger",
  role: "admin",
  input: z.object({}),
  output: z.object({
    items: z.array(roleShape.extend({ isConfigured: z.boolean() })),
    next: z.null(),
  }),
  async run(office) {
    const shown = (isConfigured: boolean) => (role: NamedRole) => ({ ...role, queues: [...role.queues], isConfigured });
    const own = (await listRoles(office.ledger)).filter((each) => !isConfigured(office, each.name));
    return { items: [...office.roles.map(shown(true)), ...own.map(shown(false))], next: null };
  },
});

export const setNamedRole = operation({
  name: "roles.set",
  summary: "makes or changes a role that holds in some queues",
  role: "admin",
  inPerson: true,
  input: roleShape.extend({ reveals: z.boolean().default(false) }),
  output: z.object({ name: z.string() }),
  async run(office, role, actor) {
    const { ledger, clock } = office;
    if (builtIn(role.name) !== undefined || isConfigured(office, role.name)) throw notHere(role.name);
    await ledger.database.transaction(async (transaction) => {
      await putRole(ledger, transaction, role);
      const details = { role: role.name, is: role.is, queues: role.queues, reveals: role.reveals };
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "roles.set", details });
    });
    return { name: role.name };
  },
});

export const removeNamedRole = operation({
  name: "roles.remove",
  summary: "takes a role away from whoever has it",
  role: "admin",
  inPerson: true,
  input: z.object({ name }),
  output: z.object({ name: z.string() }),
  async run(office, { name: given }, actor) {
    const { ledger, clock } = office;
    if (isConfigured(office, given)) throw notHere(given);
    await ledger.database.transaction(async (transaction) => {
      if (!(await removeRole(ledger, transaction, given)))
        throw new OfficeError("ROLE_NOT_FOUND", `There is no role ${given} of the ledger.`);
      const details = { role: given };
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "roles.removed", details });
    });
    return { name: given };
  },
});

/** Refuses a name that gives nothing: it would look as if somebody had been let in. */
export async function requireKnownRoles(office: Office, names: readonly string[]): Promise<void> {
  const known = [...roles, ...office.roles.map((each) => each.name)];
  const own = names.every((each) => known.includes(each)) ? [] : await listRoles(office.ledger);
  const all = [...known, ...own.map((each) => each.name)];
  const unknown = names.find((each) => !all.includes(each));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, all);
  const hint = nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`;
  throw new OfficeError("INVALID_OPTION", `There is no role \`${unknown}\`.${hint}`);
}

function isConfigured(office: Office, given: string): boolean {
  return office.roles.some((each) => each.name === given);
}

function notHere(given: string): OfficeError {
  return new OfficeError(
    "INVALID_OPTION",
    `The role ${given} stands in the configuration, or is one of the four that hold everywhere: it is not changed here.`,
  );
}
