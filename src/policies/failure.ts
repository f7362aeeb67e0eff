import { type FailureKind, isInstruction } from "../domain/handler-errors.ts";
import { cutText, peek, peekList, peekNames, peekText } from "./cautious.ts";
import { type Evidence, evidenceOf, readCode, readStatus } from "./failure-evidence.ts";
import { readRetryAfter } from "./retry-after.ts";

/** All that is known of a failed attempt, in values that can be stored and shown. */
export interface FailureFacts {
  readonly kind: FailureKind;
  /** The error's class, or the type of what was thrown if it was no error. */
  readonly errorClass: string;
  /** The error's message, then those of its causes. */
  readonly message: string;
  /** The first code found on the error or its causes. */
  readonly code: string | null;
  /** The first HTTP status found on the error, its response or its causes. */
  readonly status: number | null;
  readonly stack: string | null;
  /** How long the handler or the other side asked to wait, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** What the handler decided by throwing `Unprocessable`, `RetryLater` or `Park`; null when it left the decision to us. */
  readonly instruction: "dead-letter" | "retry" | "park" | null;
  /** Why it is of that kind, for people. */
  readonly why: string;
}

/** A user's own word on a failure; undefined leaves it to the tables, whose answer is in `facts`. */
export type Classify = (error: unknown, facts: FailureFacts) => FailureKind | undefined;

export interface ReadFailureOptions {
  /** Milliseconds since 1970: a `Retry-After` may be a date. */
  readonly now: number;
  readonly classify?: Classify | undefined;
}

/** In characters. A thrown value may be of any size; what is kept of it is not. */
const caps = { errorClass: 256, message: 2_048, code: 128, stack: 8_192, value: 100 };
/** How far causes are followed, and how many failures of a bundle are looked at. */
const reach = { depth: 10, members: 10 };

const kinds: readonly FailureKind[] = ["transient", "schema", "business", "integration", "unknown"];

/**
 * Reads whatever was thrown. Never throws, whatever that was: strings, null, proxies, errors that are their own cause.
 *
 * The handler's own word counts first, wherever in the chain of causes it stands; then the user's rule; then what is
 * known of codes, classes and statuses. Where these contradict each other the kind is unknown: a failure wrongly taken
 * for transient is repeated until it does damage, one wrongly taken for unknown merely wakes somebody.
 */
export function readFailure(error: unknown, { now, classify }: ReadFailureOptions): FailureFacts {
  const root = linkOf(error, new Set(), reach.depth);
  const chain = flatten(root);
  const facts = { ...describe(chain, now), ...judge(root) };
  const word = firstOf(chain, instructionOf);
  if (word !== undefined) return { ...facts, ...word, retryAfterMs: word.retryAfterMs ?? facts.retryAfterMs };
  return classify === undefined ? facts : { ...facts, ...ownRule(classify, error, facts) };
}

/** A dependency that answers "no, not like this" is well: only other failures speak against it. */
export function countsAgainstBreaker(kind: FailureKind): boolean {
  return kind !== "schema" && kind !== "business";
}

/** One thrown value with what it was thrown for. */
interface Link {
  readonly value: unknown;
  readonly cause: Link | undefined;
  readonly members: readonly Link[];
}

function linkOf(value: unknown, seen: Set<unknown>, depth: number): Link {
  const known = seen.has(value) || depth === 0;
  seen.add(value);
  const cause = known ? undefined : peek(value, "cause");
  const members = known ? [] : peekList(value, "errors", reach.members);
  return {
    value,
    cause: cause === undefined || cause === null ? undefined : linkOf(cause, seen, depth - 1),
    // Validation errors have lists of plain objects under the same name; those are details, not failures of their own.
    members: members.filter(isError).map((member) => linkOf(member, seen, depth - 1)),
  };
}

function isError(value: unknown): boolean {
  try {
    return value instanceof Error;
  } catch {
    return false;
  }
}

function flatten({ value, cause, members }: Link): unknown[] {
  return [value, ...(cause === undefined ? [] : flatten(cause)), ...members.flatMap(flatten)];
}

type Description = Omit<FailureFacts, "kind" | "why">;

function describe(chain: readonly unknown[], now: number): Description {
  const [error] = chain;
  const code = firstOf(chain, readCode);
  const stack = peekText(error, "stack");
  return {
    errorClass: cutText(classOf(error), caps.errorClass),
    message: cutText(messages(chain), caps.message),
    code: code === undefined ? null : cutText(code, caps.code),
    status: firstOf(chain, readStatus) ?? null,
    stack: stack === undefined ? null : cutText(stack, caps.stack),
    retryAfterMs: firstOf(chain, (value) => readRetryAfter(value, now) ?? undefined) ?? null,
    instruction: null,
  };
}

/** The message and those of its causes that say something new. */
function messages(chain: readonly unknown[]): string {
  let text = messageOf(chain[0]);
  for (const value of chain.slice(1)) {
    const more = messageOf(value);
    if (text.length < caps.message && more !== "" && !text.includes(more)) text += `: ${more}`;
  }
  return text;
}

function messageOf(value: unknown): string {
  if (typeof value === "string") return cutText(value, caps.message);
  if (typeof value !== "object" || value === null) return typeof value === "function" ? "a function" : String(value);
  const message = peekText(value, "message");
  return message === undefined && !isError(value) ? outline(value) : cutText(message ?? "", caps.message);
}

/** What can be said of an object that is no error: its first fields, values only where they are short and plain. */
function outline(value: object): string {
  const fields = peekNames(value, 8).map((name) => {
    const field = peek(value, name);
    const plain = field === null || ["string", "number", "boolean"].includes(typeof field);
    return `${cutText(name, caps.value)}: ${plain ? cutText(String(field), caps.value) : typeof field}`;
  });
  return `{ ${fields.join(", ")} }`;
}

/** `name` where a class set one, else the constructor's: many classes never set theirs. */
function classOf(value: unknown): string {
  if (value === null || (typeof value !== "object" && typeof value !== "function"))
    return value === null ? "null" : typeof value;
  const name = peekText(value, "name");
  const named = name === undefined || name === "Error" || typeof value === "function" ? undefined : name;
  return named ?? peekText(peek(value, "constructor"), "name") ?? name ?? "Object";
}

function judge(root: Link): { readonly kind: FailureKind; readonly why: string } {
  const all = gather(root);
  const strong = all.filter(({ weak }) => !weak);
  const evidence = strong.length > 0 ? strong : all;
  const innermost = evidence.at(-1);
  if (innermost === undefined) return { kind: "unknown", why: "nothing known about this error" };
  const said = new Set(evidence.map(({ kind }) => kind));
  const disputed = said.size > 1 && (said.has("transient") || said.has("unknown"));
  if (!disputed) return { kind: innermost.kind, why: innermost.why };
  return { kind: "unknown", why: `contradiction: ${evidence.map(({ kind, why }) => `${why} is ${kind}`).join(", ")}` };
}

/** Outermost first. A bundle is only as well known as the least known of its failures. */
function gather({ value, cause, members }: Link): Evidence[] {
  const own = evidenceOf(value, classOf(value));
  const inner = members.map(gather);
  const unclear = inner.some((evidence) => evidence.length === 0);
  return [
    ...(own === undefined ? [] : [own]),
    ...(unclear ? [{ kind: "unknown" as const, why: "one of several failures" }] : []),
    ...(cause === undefined ? [] : gather(cause)),
    ...inner.flat(),
  ];
}

type Word = Pick<FailureFacts, "kind" | "why" | "instruction" | "retryAfterMs">;

function instructionOf(value: unknown): Word | undefined {
  try {
    if (!isInstruction(value)) return undefined;
    const why = `the handler threw ${value.name}`;
    if (value.instruction === "park") return { kind: "unknown", why, instruction: "park", retryAfterMs: null };
    if (value.instruction === "retry") {
      const afterMs = Number.isFinite(value.afterMs) && value.afterMs >= 0 ? value.afterMs : null;
      return { kind: "transient", why, instruction: "retry", retryAfterMs: afterMs };
    }
    const kind = kinds.includes(value.kind) ? value.kind : "business";
    return { kind, why, instruction: "dead-letter", retryAfterMs: null };
  } catch {
    return undefined;
  }
}

/** A rule that throws, or answers what is no kind, has no say: the failure it was asked about is the one that matters. */
function ownRule(classify: Classify, error: unknown, facts: FailureFacts): Partial<FailureFacts> {
  try {
    const kind = classify(error, facts);
    if (kind === undefined) return {};
    return kinds.includes(kind) ? { kind, why: "your classify rule" } : { why: `${facts.why} (classify gave no kind)` };
  } catch (thrown) {
    return { why: `${facts.why} (classify failed: ${cutText(messageOf(thrown), caps.value)})` };
  }
}

function firstOf<T>(chain: readonly unknown[], read: (value: unknown) => T | undefined): T | undefined {
  for (const value of chain) {
    const found = read(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
