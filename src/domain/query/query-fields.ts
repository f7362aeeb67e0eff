import { categories } from "../classification.ts";
import { letterStates } from "../letter.ts";

/**
 * What can be asked for, and how its value is written.
 *
 * - "choice": one of `of`
 * - "text": a name, `*` for anything
 * - "id": an id with its prefix
 * - "words": words of an error
 * - "number", "size", "duration", "time": can be compared, and given as a range
 * - "version": can be compared
 */
export type FieldKind = "choice" | "text" | "id" | "words" | "number" | "size" | "duration" | "time" | "version";

export interface QueryField {
  readonly kind: FieldKind;
  readonly about: string;
  /** Of a choice: what there is to choose from. */
  readonly of?: readonly string[];
  /** Takes a path after a dot: `header.x-tenant`. */
  readonly hasPath?: true;
}

/** Every field there is, in the order in which people read about them. */
export const queryFields = {
  category: { kind: "choice", of: categories, about: "what the failure is taken for now" },
  was: { kind: "choice", of: categories, about: "what it was taken for on arrival" },
  outcome: {
    kind: "choice",
    of: [...categories, "resolved", "sent", "in_doubt"],
    about: "what became of its last replay",
  },
  state: { kind: "choice", of: letterStates, about: "where the letter stands" },
  is: {
    kind: "choice",
    of: [...letterStates, "inbox", "mine", "snoozed", "acknowledged", "past-ttl", "probable-repeat"],
    about: "needs a decision, is yours …",
  },
  has: {
    kind: "choice",
    of: ["edit", "note", "trace", "key", "stack", "cut"],
    about: "has an edit, a note, a trace …",
  },
  replay: {
    kind: "choice",
    of: ["ready", "needs-approval", "needs-acknowledgement", "blocked", "never"],
    about: "whether it may be replayed",
  },
  queue: { kind: "text", about: "the queue it failed in" },
  source: { kind: "text", about: "the connection it came by" },
  broker: { kind: "text", about: "the broker it came from" },
  consumer: { kind: "text", about: "who consumed it" },
  host: { kind: "text", about: "the machine or pod it failed on" },
  partition: { kind: "number", about: "the partition its message was in" },
  offset: { kind: "number", about: "the offset or sequence its message had there" },
  type: { kind: "text", about: "the kind of message, as its sender names it" },
  owner: { kind: "text", about: "who owns its source, or has its group" },
  tag: { kind: "text", about: "a tag that it has, or its group" },
  assignee: { kind: "text", about: "who has it" },
  error: { kind: "words", about: "words of its error" },
  class: { kind: "text", about: "the error's class" },
  code: { kind: "text", about: "the error's code" },
  group: { kind: "id", about: "the group it is in" },
  id: { kind: "id", about: "the letter itself, or any id of something it belongs to" },
  run: { kind: "id", about: "the replay it was in" },
  meanwhile: { kind: "id", about: "the replay during which it came new into one of its groups" },
  trace: { kind: "text", about: "its trace" },
  key: { kind: "text", about: "an id by which people know it: its key, message id, an id in its payload" },
  header: { kind: "text", hasPath: true, about: "a header's text" },
  body: { kind: "text", hasPath: true, about: "a value in its payload" },
  ctx: { kind: "text", hasPath: true, about: "a name the message carries, such as tenant" },
  version: { kind: "version", about: "the version of who consumed it" },
  deployed: { kind: "version", about: "the version that consumes now" },
  age: { kind: "duration", about: "since it failed last" },
  idle: { kind: "duration", about: "since anything about it changed" },
  expires: { kind: "duration", about: "until retention takes it" },
  failed: { kind: "time", about: "when it failed last" },
  arrived: { kind: "time", about: "when it came to the office" },
  changed: { kind: "time", about: "when anything about it last changed" },
  enqueued: { kind: "time", about: "when it was first sent" },
  attempts: { kind: "number", about: "how often its handler ran" },
  replays: { kind: "number", about: "how often it was replayed" },
  size: { kind: "size", about: "bytes of its body" },
  confidence: { kind: "number", about: "how sure the classification is, 0 to 1" },
} as const satisfies Readonly<Record<string, QueryField>>;

export type FieldName = keyof typeof queryFields;

export function fieldNamed(name: string): QueryField | undefined {
  return Object.hasOwn(queryFields, name) ? queryFields[name as FieldName] : undefined;
}
