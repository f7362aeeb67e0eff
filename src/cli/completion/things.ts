import type { KnownValue } from "../../domain/query/complete-search.ts";
import type { FieldName } from "../../domain/query/query-fields.ts";
import { showCount } from "../../domain/show-count.ts";
import type { Ask } from "../../http/client.ts";
import type { ReplayStates } from "../command.ts";

type Find = (ask: Ask, states: ReplayStates) => Promise<readonly KnownValue[]>;

/** As many as a screen could show, newest first where they have an order. */
const limit = 50;

/** What a word is in help, and how an office is asked which there are. */
const finders = {
  ALERT: async (ask) =>
    (await ask("alerts.list", {})).items.map(({ id, sentence }) => ({ value: id, about: sentence })),
  BREAKER: async (ask) =>
    (await ask("breakers.list", {})).items.map(({ name, state }) => ({ value: name, about: state })),
  FIX: async (ask) => (await ask("fixes.list", {})).items.map(({ id, called }) => ({ value: id, about: called })),
  GROUP: async (ask) =>
    (await ask("groups.list", { limit })).items.map(({ id, title, open }) => ({
      ...{ value: id, about: `${title} (${open} open)` },
    })),
  LETTER: async (ask) =>
    (await ask("letters.list", { limit })).items.map(({ id, queue, state, errorClass, errorMessage }) => ({
      ...{ value: id, about: `${queue}, ${state}: ${errorMessage ?? errorClass ?? "no error"}` },
    })),
  QUEUE: async (ask) => byName(await openByQueue(ask), ({ queue }) => queue),
  REPLAY: async (ask, states) =>
    (await ask("replays.list", { states, limit })).items.map(({ id, state, name }) => ({
      ...{ value: id, about: `${state}: ${name}` },
    })),
  RULE: async (ask) =>
    (await ask("alerts.rules", {})).items.map(({ name, sentence }) => ({ value: name, about: sentence })),
  SOURCE: async (ask) => byName(await openByQueue(ask), ({ source }) => source),
  "SOURCE/QUEUE": async (ask) =>
    (await ask("status.get", {})).drains.map(({ source, queue, state }) => ({
      ...{ value: `${source}/${queue}`, about: state },
    })),
  VIEW: async (ask) => (await ask("views.list", {})).items.map(({ name, q }) => ({ value: name, about: q })),
} satisfies Readonly<Record<string, Find>>;

/** What only an office knows. */
export type OfficeThing = keyof typeof finders;

/** Everything a shell can be told of while somebody types. */
export type Thing = OfficeThing | "CONTEXT" | "QUERY";

const officeThings = Object.keys(finders) as OfficeThing[];
export const things: readonly Thing[] = [...officeThings, "CONTEXT", "QUERY"];

export function isOfficeThing(name: string): name is OfficeThing {
  return officeThings.some((thing) => thing === name);
}

/** What fields of a search have as their values. */
export const thingsOfFields: Partial<Readonly<Record<FieldName, OfficeThing>>> = {
  group: "GROUP",
  id: "LETTER",
  queue: "QUEUE",
  run: "REPLAY",
  source: "SOURCE",
};

export async function findThings(thing: OfficeThing, states: ReplayStates, ask: Ask): Promise<readonly KnownValue[]> {
  const find: Find = finders[thing];
  return (await find(ask, states)).filter(({ value }) => isPlain(value));
}

/**
 * Nothing that any shell reads as more than letters. A queue can be called `$(reboot)`, and what is completed is typed in
 * somebody's name: such a name is left to them.
 */
function isPlain(value: string): boolean {
  return /^[\w/][\w./:@%+=-]*$/.test(value);
}

interface InQueue {
  readonly source: string;
  readonly queue: string;
  readonly n: number;
}

async function openByQueue(ask: Ask): Promise<readonly InQueue[]> {
  return (await ask("queues.list", {})).counts;
}

function byName(counts: readonly InQueue[], nameOf: (count: InQueue) => string): readonly KnownValue[] {
  const letters = new Map<string, number>();
  for (const count of counts) letters.set(nameOf(count), (letters.get(nameOf(count)) ?? 0) + count.n);
  return [...letters].map(([value, n]) => ({ value, about: showCount(n, "letter") }));
}
