import { OfficeError } from "../../domain/errors.ts";
import { openStates } from "../../domain/letter.ts";
import { nearestName } from "../../domain/options.ts";
import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { columnsOf, table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import { acceptanceLine } from "./duplicates.ts";
import { type AtWork, ledgerFlags, withOffice } from "./ledger-flags.ts";
import { sparkline } from "./sparkline.ts";

const queueOperand = {
  placeholder: "[SOURCE/]QUEUE",
  about: "a queue; with its source where others have one of that name",
  required: true,
} as const;

export const queuesShowCommand = command({
  name: "queues show",
  summary: "one queue: its letters by state and category, arrivals, and the groups that are open",
  examples: [
    { line: "dlo queues show orders", about: "what lies there and what to begin with" },
    { line: "dlo queues show rabbit-eu/orders --json", about: "for a program" },
  ],
  operand: queueOperand,
  flags: ledgerFlags,

  async run({ operand, json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const queue = await queueOf(work, operand ?? "");
      context.print(json ? JSON.stringify(queue) : drawing(queue, context));
      return exit.done;
    });
  },
});

type Found = Awaited<ReturnType<typeof queueOf>>;

async function queueOf({ ask }: AtWork, named: string) {
  const { counts, oldest, failures, arrived } = await ask("queues.list", {});
  const place = placeNamed(named, counts);
  const isHere = ({ source, queue }: Place) => source === place.source && queue === place.queue;
  const q = `source:${JSON.stringify(place.source)} queue:${JSON.stringify(place.queue)}`;
  const groups = await ask("groups.list", { q, onlyOpen: true, limit: 10 });
  return {
    ...place,
    counts: counts.filter(isHere).map(({ category, state, n }) => ({ category, state, n })),
    oldestOpenAt: oldest.find(isHere)?.failedAt ?? null,
    accepted: (await ask("queues.duplicates", { ...place, limit: 1 })).items.filter(
      ({ revokedBy }) => revokedBy === null,
    ),
    /** How many failed, by the hour, the running one last. */
    hours: failures.find(isHere)?.hours ?? [],
    lastArrivedAt: arrived.find(isHere)?.lastAt ?? null,
    groups: groups.items,
  };
}

interface Place {
  readonly source: string;
  readonly queue: string;
}

/** Of places of these, the one that is called so; names of queues may have a slash in them. */
export function placeNamed(named: string, places: readonly Place[]): Place {
  const all = new Map(places.map(({ source, queue }) => [`${source}/${queue}`, { source, queue }]));
  const whole = all.get(named);
  if (whole !== undefined) return whole;
  const [first, ...others] = [...all.values()].filter(({ queue }) => queue === named);
  if (first !== undefined && others.length === 0) return first;
  throw first === undefined ? unknown(named, [...all.keys()]) : ambiguous(named, [first, ...others]);
}

function unknown(named: string, known: readonly string[]): OfficeError {
  const nearest = nearestName(named, known);
  const hint = nearest === undefined ? "`dlo queues` lists them." : `Did you mean \`${nearest}\`?`;
  return new OfficeError("QUEUE_NOT_FOUND", `No letter came from a queue \`${named}\`.`, { details: { hint } });
}

function ambiguous(named: string, places: readonly Place[]): OfficeError {
  const names = places.map(({ source, queue }) => `${source}/${queue}`).join(", ");
  return new OfficeError(
    "INVALID_OPTION",
    `There are several queues \`${named}\`: ${names}. Name one with its source.`,
  );
}

function drawing(found: Found, { terminal, when }: Context): string {
  const { source, queue, counts, oldestOpenAt, hours, lastArrivedAt, groups, accepted } = found;
  const { paint } = terminal;
  const rows = counts.map(({ category, state, n }) => [category, state, showNumber(n)]);
  const groupRows = groups.map(({ id, category, open, title }) => [id, category, showNumber(open), visible(title)]);
  return [
    `${paint("bold", visible(queue))} at ${visible(source)}`,
    `${showNumber(openOf(counts))} open${oldestOpenAt === null ? "" : `, the oldest since ${when(oldestOpenAt, "utc")}`}   24h ${sparkline(hours, terminal)}`,
    ...accepted.map((each) => acceptanceLine(each, when)),
    ...(lastArrivedAt === null ? [] : [`the last was taken in at ${when(lastArrivedAt, "utc")}`]),
    "",
    table(columnsOf(["CATEGORY", "STATE", "LETTERS"], ["LETTERS"]), rows, terminal),
    ...(groups.length === 0
      ? []
      : ["", table(columnsOf(["GROUP", "CATEGORY", "OPEN", "WHAT"], ["OPEN"]), groupRows, terminal)]),
  ].join("\n");
}

function openOf(counts: OutputOf<"queues.list">["counts"] | Found["counts"]): number {
  const states: readonly string[] = openStates;
  return counts.filter(({ state }) => states.includes(state)).reduce((sum, { n }) => sum + n, 0);
}
