import type { z } from "zod";
import { type Actor, type Role, roles } from "../../domain/actor.ts";
import type { BodyStore } from "../../domain/body-store.ts";
import type { Clock } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { Masking } from "../../domain/redaction.ts";
import type { Ledger } from "../../ledger/ledger.ts";

/** What operations work on. */
export interface Office {
  readonly ledger: Ledger;
  readonly bodies: BodyStore | null;
  readonly masking: Masking;
  /** How long letters are kept, in milliseconds. */
  readonly retentionMs: number;
  readonly clock: Clock;
}

/**
 * One thing that can be asked of the office, described once. The command line calls the table in process; whatever puts it
 * behind HTTP calls the same table.
 */
export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** Such as `letters.list`. */
  readonly name: string;
  readonly summary: string;
  /** The least an actor must be. */
  readonly role: Role;
  readonly input: Input;
  readonly output: Output;
  run(office: Office, input: z.output<Input>, actor: Actor): Promise<z.input<Output>>;
}

/** Lets the compiler work out the types of an operation from its schemas. */
export function operation<Input extends z.ZodType, Output extends z.ZodType>(
  described: Operation<Input, Output>,
): Operation<Input, Output> {
  return described;
}

/** Runs an operation for somebody: their role and the input are checked first, so no operation has to. */
export async function perform<Input extends z.ZodType, Output extends z.ZodType>(
  office: Office,
  { name, role, input, run }: Operation<Input, Output>,
  actor: Actor,
  given: z.input<Input>,
): Promise<z.input<Output>> {
  requireRole(actor, role, name);
  const checked = input.safeParse(given);
  if (!checked.success) throw invalidInput(name, checked.error);
  return run(office, checked.data, actor);
}

function requireRole({ id, roles: own }: Actor, needed: Role, name: string): void {
  const most = Math.max(-1, ...own.map((role) => roles.indexOf(role)));
  if (most >= roles.indexOf(needed)) return;
  throw new OfficeError("NOT_ALLOWED", `\`${name}\` needs the role ${needed}, which ${id} does not have.`, {
    details: { operation: name, role: needed, actor: id },
  });
}

function invalidInput(name: string, { issues }: z.ZodError): OfficeError {
  const [issue] = issues;
  const place = issue === undefined || issue.path.length === 0 ? name : issue.path.join(".");
  return new OfficeError(
    "INVALID_OPTION",
    `\`${place}\` cannot be so: ${issue?.message ?? "it is not what it should be"}.`,
    {
      details: { operation: name, path: place },
    },
  );
}
