import type { z } from "zod";
import { type Actor, isNowhere, type Role, revealScopeOf, roles, type Scope, scopeOf } from "../../domain/actor.ts";
import type { BodyStore } from "../../domain/body-store.ts";
import type { Clock } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { Masking } from "../../domain/redaction.ts";
import type { SignInReport } from "../../domain/sign-in-check.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { NamedRole } from "../../ledger/people/roles.ts";
import type { SequencePlace } from "../../ledger/sequence-places.ts";
import type { SourceDesk } from "../../sources/source-desk.ts";
import type { BlockedKeysAdmin } from "../../stores/blocked-keys.ts";
import type { SharedState } from "../../stores/shared-state.ts";
import type { WebhookEvent } from "../decide/call-webhook.ts";
import type { DrainProgress, DrainRequest } from "../intake/drain.ts";
import type { PeekedLetter, PeekRequest } from "../intake/peek.ts";
import type { ReadingRoom } from "../intake/read-letters.ts";
import type { KeptKeySums } from "../keys/key-sums.ts";
import type { ReplayParts } from "../replay/replay-parts.ts";
import type { ShareAnswer } from "../shared-answers.ts";
import type { WorkStatus } from "../work-status.ts";

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
  /** Roles of the configuration. */
  readonly roles: readonly NamedRole[];
  /** Tells a webhook of the configuration by its name. Resolves when it said yes. */
  readonly tell: (name: string, event: WebhookEvent) => Promise<void>;
  /** Who is told when nobody looks, as the configuration has them. */
  readonly notifiers: readonly ListedNotifier[];
  /** Asks once what many ask at the same time. */
  readonly share: ShareAnswer;
  /** What replaying needs of the brokers and of the policy. */
  readonly replay: ReplayParts;
  /** Where letters that come are read. */
  readonly room: ReadingRoom;
  /** The brokers it looks after, and where others are connected. */
  readonly sources: SourceDesk;
  /** Where consumers of a source may keep what they share; null: nowhere that the office could reach. */
  readonly sharedBy: (source: string) => Promise<SharedState | null>;
  /** Where ordered consumers of a source keep their blocked keys; null: nobody said where, so only release messages reach them. */
  readonly blockedKeysOf: (source: string) => Promise<BlockedKeysAdmin | null>;
  /** How many keys are blocked there, as each source's store said a short while ago. */
  readonly keySums: KeptKeySums;
  /** Asks the consumers of a queue to let a key go on, by a message that they alone read. */
  readonly sendRelease: (place: SequencePlace) => Promise<void>;
  /** The sources there are. */
  readonly sourceNames: () => readonly string[];
  /** Takes what is in a queue of a source into the ledger. */
  readonly drain: (request: DrainRequest) => Promise<DrainProgress>;
  /** Tries the identity provider of the configuration; null where it names none. */
  readonly checkSignIn: () => Promise<SignInReport | null>;
  /** Looks at what lies in a queue of a source, and leaves it there. */
  readonly peek: (request: PeekRequest) => Promise<readonly PeekedLetter[]>;
}

/** Somebody who is told when nobody looks. */
export interface ListedNotifier {
  readonly name: string;
  readonly kind: string;
  /** What it wants to be told of. */
  readonly when: readonly string[];
}

/** What the office says of itself. */
export interface OfficeItself {
  readonly version: string;
  /** Where the ledger is, in words. */
  readonly place: string;
  readonly isEmbedded: boolean;
  /** Of this process, as others see it; null while it does nothing by itself. */
  readonly id: () => string | null;
  /** What it does by itself in this process. */
  readonly work: () => WorkStatus;
  /** Where an embedded ledger is; null for one that is elsewhere. */
  readonly freeBytes: () => Promise<number | null>;
  /** Statements that wait for a connection to the ledger. */
  readonly databaseWaits: () => number;
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
  /** Each of its queries heeds the ledger's scope, so that people of some queues may ask too. @default false */
  readonly isScoped?: boolean;
  /** All who see the same queues get the same answer, and many ask at once: it is asked once for them. @default false */
  readonly isShared?: boolean;
  /** Pages ask for it by themselves, without end: a session that asks for nothing else is idle. @default false */
  readonly isUnattended?: boolean;
  /** What it takes at most over HTTP, in bytes. @default what the server takes */
  readonly takesBytes?: number;
  /** Whether this asks for what is masked, which needs a right of its own and a person. @default never */
  readonly reveals?: (input: z.output<Input>) => boolean;
  /** Its answer is given once and kept nowhere, whatever Idempotency-Key comes with it. @default false */
  readonly isSecret?: boolean;
  /** Its answer as a file, for whoever asks over HTTP and accepts `application/octet-stream`. @default never */
  readonly asFile?: (answer: z.output<Output>) => { readonly name: string; readonly base64: string };
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
  const { name, input, run } = asked;
  requireMay(actor, asked);
  const checked = input.safeParse(given);
  if (!checked.success) throw invalidInput(name, checked.error);
  const scope = asked.reveals?.(checked.data) ? requireReveal(actor, name) : requireScope(actor, asked);
  const answer = () => run(seenFrom(office, scope), checked.data, actor);
  return asked.isShared ? office.share(JSON.stringify([name, scope, checked.data]), answer) : answer();
}

/** Refuses who may not ask for an operation by what they are; the queues it is about come later. */
export function requireMay(actor: Actor, asked: Rights): void {
  requireRole(actor, asked.role, asked.name);
  requireRight(actor, asked);
}

/** The office as far as these queues go: what lies outside is not there. */
function seenFrom(office: Office, scope: Scope): Office {
  if (scope.length === 0) return office;
  const ledger = { ...office.ledger, scope };
  return { ...office, ledger, replay: { ...office.replay, ledger } };
}

/** What decides who may ask for an operation. */
type Rights = Pick<Operation, "name" | "role" | "inPerson" | "forAgents" | "isScoped">;

function requireScope(actor: Actor, { name, role, isScoped = false }: Rights): Scope {
  const scope = scopeOf(actor, role);
  if (isScoped || scope.length === 0) return scope;
  const text = `\`${name}\` is about the whole office, and ${actor.id} is ${role} in some queues only. Ask somebody who is everywhere.`;
  throw new OfficeError("NOT_ALLOWED", text, { details: { operation: name, role, actor: actor.id } });
}

/** Whether somebody may ask for an operation at all. */
export function mayPerform(actor: Actor, asked: Rights): boolean {
  const isReached = asked.isScoped === true || scopeOf(actor, asked.role).length === 0;
  return hasRole(actor, asked.role) && isReached && missingRight(actor, asked) === null;
}

function requireRight(actor: Actor, asked: Rights): void {
  const why = missingRight(actor, asked);
  if (why !== null) throw new OfficeError("NOT_ALLOWED", why, { details: { operation: asked.name, actor: actor.id } });
}

/** Tokens lie about in files, and agents have no eyes to be trusted with. */
function requireReveal(actor: Actor, name: string): Scope {
  const { id, kind, token } = actor;
  const scope = revealScopeOf(actor);
  if (kind !== "agent" && token === undefined && !isNowhere(scope)) return scope;
  const text = `${id} may not see what is masked. It takes a person who is signed in, with a role that reveals.`;
  throw new OfficeError("NOT_ALLOWED", text, { details: { operation: name, actor: id } });
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
