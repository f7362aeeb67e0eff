import { showAge } from "../../domain/duration.ts";
import { OfficeError } from "../../domain/errors.ts";
import { groupedBy } from "../../domain/grouped-by.ts";
import { openStates } from "../../domain/letter.ts";
import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import type { AtWork } from "../ledger/ledger-flags.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";

/** One figure of the office, as a monitor wants it. */
export interface Measured {
  readonly value: number;
  /** In words, without what it is held against. */
  readonly sentence: string;
  /** Other figures that were found on the way, by their names. */
  readonly besides: Readonly<Record<string, number>>;
}

export interface Measuring {
  /** Which letters; all where it is empty. */
  readonly query: string;
  /** How far back failures are counted, in milliseconds. */
  readonly withinMs: number;
  readonly now: number;
}

export interface Measure {
  /** What its figure is called where labels are short. */
  readonly label: string;
  /** Of its figure and of what it is held against. */
  readonly unit: "letters" | "seconds";
  /** The name and the meaning of its figure in the text format of Prometheus. */
  readonly metric: readonly [name: string, help: string];
  readonly take: (work: AtWork, wanted: Measuring) => Promise<Measured>;
}

/** What can be checked. */
export const measures = {
  depth: {
    label: "open",
    unit: "letters",
    metric: ["dlo_check_open_letters", "Letters that need a decision."],
    take: async (work, { query }) => {
      const value = await countOpen(work, query);
      return { value, sentence: `${showCount(value, "letter")} open`, besides: {} };
    },
  },
  age: {
    label: "oldest",
    unit: "seconds",
    metric: ["dlo_check_oldest_letter_seconds", "Time since the oldest letter failed that needs a decision."],
    take: measureAge,
  },
  rate: {
    label: "failed",
    unit: "letters",
    metric: ["dlo_check_failed_letters", "Letters that failed within the time."],
    take: async (work, { query, withinMs }) => {
      const value = await countMatching(work, both(query, `failed:>now-${Math.ceil(withinMs / 1_000)}s`));
      return { value, sentence: `${showCount(value, "letter")} failed within ${showAge(withinMs)}`, besides: {} };
    },
  },
  returns: {
    label: "returned",
    unit: "letters",
    metric: ["dlo_check_returned_letters", "Letters that came back after a replay, and are open again."],
    take: async (work, { query }) => {
      const value = await countMatching(work, both(query, "state:returned"));
      return { value, sentence: `${showCount(value, "letter")} came back after a replay`, besides: {} };
    },
  },
  drain: {
    label: "waiting",
    unit: "seconds",
    metric: ["dlo_check_drain_waiting_seconds", "How long the queue that is drained least has not been drained."],
    take: measureDrains,
  },
} as const satisfies Readonly<Record<string, Measure>>;

export type MeasureName = keyof typeof measures;
export const measureNames = Object.keys(measures) as readonly MeasureName[];

/** An office counts the letters of a search no further. */
export const countedAtMost = 10_000;

const areOpen = `state:${openStates.join(",")}`;

function both(query: string, more: string): string {
  return query === "" ? more : `(${query}) ${more}`;
}

async function countMatching({ ask }: AtWork, q: string): Promise<number> {
  return (await ask("letters.count", { q })).n;
}

/** All of them without a search, for which counters are kept; those of a search as far as they are counted. */
async function countOpen(work: AtWork, query: string): Promise<number> {
  if (query !== "") return countMatching(work, both(query, areOpen));
  const { counts } = await work.ask("queues.list", {});
  const states: readonly string[] = openStates;
  return counts.filter(({ state }) => states.includes(state)).reduce((sum, { n }) => sum + n, 0);
}

async function measureAge(work: AtWork, { query, now }: Measuring): Promise<Measured> {
  const oldest = await findOldest(work, query);
  const open = await countOpen(work, query);
  if (oldest === undefined) return { value: 0, sentence: "no letter is open", besides: { open } };
  const ageMs = Math.max(0, now - Date.parse(oldest.failedAt));
  const sentence = `oldest ${showAge(ageMs)} in ${visible(oldest.queue)} (${showNumber(open)} open)`;
  return { value: Math.floor(ageMs / 1_000), sentence, besides: { open } };
}

/** Without a search, by what is kept for it: the first open letter may stand behind a million that are settled. */
async function findOldest({ ask }: AtWork, query: string) {
  if (query !== "") return (await ask("letters.list", { q: both(query, areOpen), sort: "-age", limit: 1 })).items[0];
  const { oldest } = await ask("queues.list", {});
  return oldest.toSorted((one, other) => one.failedAt.localeCompare(other.failedAt))[0];
}

async function measureDrains({ ask, here }: AtWork, { query, now }: Measuring): Promise<Measured> {
  if (here !== null || query !== "") throw onlyOfAServer(query);
  const { drains } = await ask("status.get", {});
  if (drains.length === 0) throw nothingDrained();
  const queues = groupedBy(drains, ({ source, queue }) => JSON.stringify([source, queue]));
  const waits = [...queues.values()].flatMap((each) => waitOf(each, now)).sort((one, other) => other.ms - one.ms);
  const besides = { queues: queues.size, waitingQueues: waits.length };
  const [worst] = waits;
  if (worst === undefined) return { value: 0, sentence: `${showCount(queues.size, "queue")} drained`, besides };
  const { source, queue, ms, trouble } = worst;
  const why = trouble === null ? "" : `: ${visible(trouble)}`;
  const sentence = `${visible(`${source}/${queue}`)} has not been drained for ${showAge(ms)}${why}`;
  return { value: Math.floor(ms / 1_000), sentence, besides };
}

type Drain = OutputOf<"status.get">["drains"][number];

/** Any process that drains a queue is enough; else it has waited since the last one could not. */
function waitOf(drains: readonly Drain[], now: number) {
  const hindered = drains.flatMap(({ troubledSince, ...drain }) =>
    troubledSince === null ? [] : [{ ...drain, ms: Math.max(0, now - Date.parse(troubledSince)) }],
  );
  return hindered.length < drains.length ? [] : hindered.sort((one, other) => one.ms - other.ms).slice(0, 1);
}

/** Silence of a process that drains nothing says nothing of any queue. */
function nothingDrained(): OfficeError {
  const way = "It takes one with the duty `intake`, and a queue with `mode: drain`.";
  return new OfficeError("INVALID_OPTION", `No process of this office drains a queue that you may see. ${way}`);
}

function onlyOfAServer(query: string): OfficeError {
  const why =
    query === "" ? "asks an office that runs, and there is none here: `dlo up`, or --server URL" : "takes no search";
  return new OfficeError("INVALID_OPTION", `\`dlo check drain\` ${why}.`);
}
