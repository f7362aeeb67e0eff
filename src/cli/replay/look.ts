import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import { type Context, command, type ReplayStates } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { choiceFlag, numberFlag, optional } from "../flags.ts";
import { type AtWork, ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { limitFlag, upTo } from "../ledger/limit-flag.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import { drawReplay, stateOf } from "./show-replay.ts";

/** The operand of every command about one replay. */
export const replayOperand = { placeholder: "REPLAY", about: "its id, rpl_…", required: true } as const;

/** The same where only replays in some states can be meant: a shell offers those. */
export function replayIn(...states: ReplayStates) {
  return { ...replayOperand, states };
}

export const replayShowCommand = command({
  name: "replay show",
  summary: "one replay: its counts, its reasons, who agreed, and the one next step",
  examples: [{ line: "dlo replay show rpl_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", about: "for a person; --json for a program" }],
  operand: replayOperand,
  flags: ledgerFlags,

  async run({ operand, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const replay = await ask("replays.get", { id: operand ?? "" });
      context.print(json ? JSON.stringify(replay) : drawReplay(replay, context));
      return exit.done;
    });
  },
});

export const replayListCommand = command({
  name: "replay list",
  summary: "replays, newest first",
  examples: [{ line: "dlo replay list", about: "what was planned, what runs, how it ended" }],
  flags: { ...ledgerFlags, limit: limitFlag("how many at most") },

  async run({ limit, json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const page = await listed(work, limit);
      if (json) context.print(JSON.stringify(page));
      else if (page.items.length > 0) context.print(replaysTable(page.items, context));
      context.note(page.items.length === 0 ? "There are no replays." : showCount(page.items.length, "replay"));
      return exit.done;
    });
  },
});

const listed = ({ ask }: AtWork, limit: number) =>
  upTo(limit, { pageSize: 200, from: null }, (size, after: string | null) =>
    ask("replays.list", { limit: size, after }),
  );

function replaysTable(items: Readonly<OutputOf<"replays.list">["items"]>, { terminal, when }: Context): string {
  const rows = items.map((replay) => [
    ...[replay.id, stateOf(replay), showNumber(replay.counts.toSend), showNumber(replay.counts.sent)],
    ...[showNumber(replay.counts.returned), when(replay.frozenAt)],
    ...[visible(replay.requestedBy), visible(replay.name)],
  ]);
  const right = new Set(["TO SEND", "SENT", "RETURNED", "AGE"]);
  const titles = ["REPLAY", "STATE", "TO SEND", "SENT", "RETURNED", "AGE", "BY", "NAME"];
  return table(
    titles.map((title) => ({ title, align: right.has(title) ? ("right" as const) : ("left" as const) })),
    rows,
    terminal,
  );
}

const decisions = ["replay", "ack_required", "skip"] as const;
const itemStates = [
  ...(["not_yet_sent", "sending", "in_doubt", "released", "waiting"] as const),
  ...(["confirmed", "presumed", "suppressed", "returned", "unknown"] as const),
] as const;

export const replayItemsCommand = command({
  name: "replay items",
  summary: "the letters of a replay, each with its decision, reason and outcome",
  examples: [
    { line: "dlo replay items rpl_01JCQ8ZK4M6T8V0X2Z4B6D8F0H --decision skip", about: "what does not go, and why" },
    { line: "dlo replay items rpl_01JCQ8ZK4M6T8V0X2Z4B6D8F0H --state returned", about: "what came back" },
  ],
  operand: replayOperand,
  flags: {
    ...ledgerFlags,
    decision: optional(choiceFlag({ about: "only these", of: decisions, default: "replay" }), "all"),
    state: optional(
      choiceFlag({ about: "only those", of: itemStates, default: "waiting", placeholder: "STATE" }),
      "all",
    ),
    limit: limitFlag("how many at most"),
    after: numberFlag({ about: "the ones behind this number", default: 0, min: 0, max: 1e9 }),
  },

  async run({ operand, decision, state, limit, after, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const page = await upTo(limit, { pageSize: 1_000, from: after }, (size, place) =>
        ask("replays.items", {
          ...{ id: operand ?? "", limit: size, after: place ?? 0 },
          ...(decision === null ? {} : { decision }),
          ...(state === null ? {} : { state }),
        }),
      );
      if (json) context.print(JSON.stringify(page));
      else if (page.items.length > 0) context.print(itemsTable(page.items, context));
      if (page.items.length === 0) context.note("No items match.");
      if (state === "in_doubt" && page.items.length > 0) context.note(wayOutOfDoubt(operand ?? ""));
      if (page.next !== null) context.note(`More: --after ${page.next}, or --limit all`);
      return exit.done;
    });
  },
});

function wayOutOfDoubt(id: string): string {
  return [
    "Look for them at their destination, and say what you found:",
    `  dlo replay settle ${id} --items N --treat-as-sent --reason '…'`,
    `  dlo replay settle ${id} --items N --plan-again --reason '…'`,
  ].join("\n");
}

/** `orders by shop (order.created)`: the queue, with the exchange and key it goes by. */
function placeOf({ destination, via }: Pick<Item, "destination" | "via">): string {
  const queue = destination ?? "";
  return via === null ? queue : `${queue} by ${via.exchange} (${via.routingKey})`;
}

type Item = OutputOf<"replays.items">["items"][number];

function itemsTable(items: readonly Item[], { terminal }: Context): string {
  const rows = items.map(({ n, letter, decision, mark, markReason, state, reason, ...place }) => [
    ...[String(n), letter, mark ?? decision, markReason ?? reason.code, state, visible(placeOf(place))],
    visible(reason.sentence),
  ]);
  const titles = ["N", "LETTER", "DECISION", "REASON", "STATE", "TO", "WHY"];
  return table(
    titles.map((title) => ({ title, align: title === "N" ? ("right" as const) : ("left" as const) })),
    rows,
    terminal,
  );
}
