import type { z } from "zod";
import { type Actor, type Role, roles } from "../../domain/actor.ts";
import type { BodyStore } from "../../domain/body-store.ts";
import type { Clock } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { Masking } from "../../domain/redaction.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { WebhookEvent } from "../decide/call-webhook.ts";
import type { ReplayParts } from "../replay/replay-parts.ts";
import type { WorkStatus } from "../standing-work.ts";

/** What operations work on. */
export interface Office {
  readonly ledger: Ledger;
  readonly bodies: BodyStore | null;
  readonly masking: Masking;
  /** How long letters are kept, in milliseconds. */
  readonly retentionMs: number;
  readonly clock: Clock;
  /** A new random id, as text. */
  readonly newId: () => string;
  /** 256 bits of chance, as text. */
  readonly newSecret: () => string;
  readonly self: OfficeItself;
  /** Tells a webhook of the configuration by its name. Resolves when it said yes. */
  readonly tell: (name: string, event: WebhookEvent) => Promise<void>;
  /** What replaying needs of the brokers and of the policy. */
  readonly replay: ReplayParts;
}

/** A source as the configuration names it, without its address and secrets. */
export interface NamedSource {
  readonly name: string;
  readonly broker: string;
  readonly owner: string | null;
  readonly queues: readonly { readonly match: string; readonly mode: string }[];
}

/** What the office says of itself. */
export interface OfficeItself {
  readonly version: string;
  /** Where the ledger is, in words. */
  readonly place: string;
  readonly isEmbedded: boolean;
  /** What the configuration has it look after. */
  readonly sources: readonly NamedSource[];
  /** What it does by itself in this process. */
  readonly work: () => WorkStatus;
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
  /** Only for a person who is signed in: no token, no agent. @default false */
  readonly inPerson?: boolean;
  /** Agents may ask for it too, though it is for more than viewers. @default false */
  readonly forAgents?: boolean;
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
  asked: Operation<Input, Output>,
  actor: Actor,
  given: z.input<Input>,
): Promise<z.input<Output>> {
  const { name, role, input, run } = asked;
  requireRole(actor, role, name);
  requireRight(actor, asked);
  const checked = input.safeParse(given);
  if (!checked.success) throw invalidInput(name, checked.error);
  return run(office, checked.data, actor);
}

/** What decides who may ask for an operation. */
type Rights = Pick<Operation, "name" | "role" | "inPerson" | "forAgents">;

/** Whether somebody may ask for an operation at all. */
export function mayPerform(actor: Actor, asked: Rights): boolean {
  return hasRole(actor, asked.role) && missingRight(actor, asked) === null;
}

function requireRight(actor: Actor, asked: Rights): void {
  const why = missingRight(actor, asked);
  if (why !== null) throw new OfficeError("NOT_ALLOWED", why, { details: { operation: asked.name, actor: actor.id } });
}

function missingRight({ id, kind, token }: Actor, { name, role, inPerson, forAgents }: Rights): string | null {
  if (kind === "agent" && (inPerson || (role !== "viewer" && !forAgents)))
    return `\`${name}\` is for people, and ${id} is an agent. Ask one of them.`;
  if (inPerson && token !== undefined)
    return `\`${name}\` is for a person who is signed in, and token ${token.id} of ${id} is none. Sign in to do it.`;
  if (token?.operations?.includes(name) === false)
    return `Token ${token.id} of ${id} is only for ${token.operations.join(", ")}. Make one for \`${name}\`, or sign in.`;
  return null;
}

function hasRole({ roles: own }: Actor, needed: Role): boolean {
  return own.some((role) => roles.indexOf(role) >= roles.indexOf(needed));
}

function requireRole(actor: Actor, needed: Role, name: string): void {
  if (hasRole(actor, needed)) return;
  const { id } = actor;
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
