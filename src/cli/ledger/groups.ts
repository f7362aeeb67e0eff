import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { choiceFlag, numberFlag, optional, queryFlag, switchFlag } from "../flags.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";
import { noteWarnings } from "./search-warnings.ts";
import { sparkline } from "./sparkline.ts";

const lanes = ["decide", "unblocked", "blocked", "acknowledged"] as const;
const limitFlag = numberFlag({ about: "how many at most", default: 50, min: 1, max: 200 });

export const groupsListCommand = command({
  name: "groups list",
  summary: "letters that failed alike, those with most open first",
  examples: [
    { line: "dlo groups", about: "all" },
    { line: "dlo groups -q 'queue:orders age:<1d' --open", about: "those with a letter that matches, and open ones" },
  ],
  flags: {
    ...ledgerFlags,
    query: queryFlag("groups with a letter that matches; all without it"),
    open: switchFlag("only those with letters that need a decision"),
    limit: limitFlag,
  },

  async run({ query, open, limit, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const { items, next, warnings } = await ask("groups.list", { q: query, onlyOpen: open, limit });
      if (!json) noteWarnings(warnings, context);
      if (json) context.print(JSON.stringify({ items, next, warnings }));
      else if (items.length > 0) context.print(groupsTable(items, context));
      context.note(items.length === 0 ? "No groups match." : showCount(items.length, "group"));
      return exit.done;
    });
  },
});

export const inboxCommand = command({
  name: "inbox",
  summary: "what needs a decision, in the order in which to look at it",
  examples: [
    { line: "dlo inbox", about: "the groups, and the one next step each allows" },
    { line: "dlo inbox --lane unblocked", about: "what a gate kept back until now" },
    { line: "dlo inbox --json", about: "for a program: { items, lanes, snoozed, open, openGroups, next }" },
  ],
  details: [
    "What came back after a replay within a day comes first, then what grows, then what a gate kept back until now (a fix was recorded, a " +
      "consumer that reads it was deployed), then what is new today, then what is getting old; inside, the most letters first. 24H is " +
      "arrivals in the last day, the running hour last. What somebody has acknowledged comes last, and what somebody has snoozed not " +
      "at all, until its time has come or it got worse.",
    "The next step knows the gates: the breakers of the queue, the consumers at work there, the fixes that are recorded. `dlo groups show` " +
      "says what it waits for. --lane shows only what needs a decision (`decide`), may go since a gate opened (`unblocked`), waits for a " +
      "gate (`blocked`), or was seen (`acknowledged`).",
  ],
  flags: {
    ...ledgerFlags,
    all: switchFlag("those too that somebody has snoozed"),
    lane: optional(choiceFlag({ about: "only what is in this lane", of: lanes, default: "decide" }), "all"),
    limit: limitFlag,
  },

  async run({ limit, all, lane, json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const inbox = await work.ask("inbox.list", { limit, withSnoozed: all, lane });
      if (json) context.print(JSON.stringify(inbox));
      else if (inbox.items.length > 0) context.print(inboxTable(inbox.items, context));
      context.note(`${lane === null ? inboxInWords(inbox, all) : laneInWords(inbox, lane)} · ${work.place}`);
      return exit.done;
    });
  },
});

function inboxInWords(
  { items, lanes: counts, snoozed, open, openGroups }: OutputOf<"inbox.list">,
  all: boolean,
): string {
  const hidden = all ? 0 : snoozed;
  const waiting = hidden === 0 ? "" : ` · ${showNumber(hidden)} snoozed: --all shows them`;
  if (items.length === 0) return `Nothing needs a decision.${waiting}`;
  if (items.length + hidden < openGroups)
    return `the first ${showNumber(items.length)} of ${showCount(openGroups, "group")} with ${showCount(open, "open letter")}${waiting}`;
  const letters = items.reduce((sum, item) => sum + item.open, 0);
  const deciding = counts.decide + counts.unblocked;
  if (deciding === items.length)
    return `${showCount(deciding, "group needs", "groups need")} a decision, ${showCount(letters, "letter")}${waiting}`;
  const parts = [
    [deciding, "to decide"],
    [counts.blocked, "blocked"],
    [counts.acknowledged, "acknowledged"],
  ].flatMap(([n = 0, what]) => (n === 0 ? [] : [`${showNumber(Number(n))} ${what}`]));
  return `${showCount(items.length, "group")}, ${showCount(letters, "letter")}: ${parts.join(", ")}${waiting}`;
}

/** Of how many groups the lane is, whatever `--limit` leaves out. */
function laneInWords({ items, lanes: counts }: OutputOf<"inbox.list">, lane: (typeof lanes)[number]): string {
  const { length } = items;
  return length < counts[lane]
    ? `the first ${showNumber(length)} of ${showCount(counts[lane], "group")}: ${lane}`
    : `${showCount(length, "group")}: ${lane}`;
}

type Groups = OutputOf<"groups.list">["items"];
type Inbox = OutputOf<"inbox.list">["items"];

function groupsTable(groups: Groups, { terminal, when }: Context): string {
  const rows = groups.map(({ id, category, queue, open, total, lastFailedAt, title }) => [
    id,
    category,
    visible(queue),
    showNumber(open),
    showNumber(total),
    lastFailedAt === null ? "" : when(lastFailedAt),
    visible(title),
  ]);
  return table(columns(["GROUP", "CATEGORY", "QUEUE", "OPEN", "TOTAL", "LAST", "WHAT"]), rows, terminal);
}

function inboxTable(items: Inbox, { terminal, when }: Context): string {
  const rows = items.map(({ why, id, category, queue, open, hours, oldestOpenAt, nextStep, title }) => [
    why,
    id,
    category,
    visible(queue),
    showNumber(open),
    sparkline(hours, terminal),
    oldestOpenAt === null ? "" : when(oldestOpenAt),
    nextStep.label,
    visible(title),
  ]);
  return table(
    columns(["WHY", "GROUP", "CATEGORY", "QUEUE", "OPEN", "24H", "OLDEST", "NEXT STEP", "WHAT"]),
    rows,
    terminal,
  );
}

function columns(titles: readonly string[]) {
  const right = new Set(["OPEN", "TOTAL", "LAST", "OLDEST"]);
  // On a narrow screen a person needs to know which group, how many and what; the rest is a wider screen away.
  const optional = new Set(["WHY", "CATEGORY", "QUEUE", "TOTAL", "LAST", "24H", "OLDEST"]);
  return titles.map((title) => ({
    ...{ title, optional: optional.has(title) },
    align: right.has(title) ? ("right" as const) : ("left" as const),
  }));
}
