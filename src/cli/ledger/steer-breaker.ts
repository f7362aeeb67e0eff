import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import { type Command, type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { durationFlag, optional, switchFlag, textFlag } from "../flags.ts";
import { visible } from "../terminal/text.ts";
import { drawBreakers } from "./breakers.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

const operand = { placeholder: "BREAKER", about: "the dependency, as `dlo breakers` has it", required: true } as const;

const flags = {
  ...ledgerFlags,
  store: textFlag({
    placeholder: "SOURCE",
    about: "the source whose PostgreSQL or Redis has its state, if it is not the one its consumers report on",
  }),
};

const reason = textFlag({ placeholder: "TEXT", about: "why, for whoever looks later" });

const shared = [
  "Consumers keep a breaker's state in their own process, or share it in PostgreSQL or Redis (`store`). Only there can the office write it; " +
    "its consumers follow within a second. Where it is not shared, that is said, with the way out.",
];

export const breakersShowCommand = command({
  name: "breakers show",
  summary:
    "one dependency: how each queue and service sees it and, where its state is shared, what it did lately and why",
  examples: [{ line: "dlo breakers show payments-api", about: "whether it is back, and who says so" }],
  details: shared,
  operand,
  flags,

  async run({ operand: name, store, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const found = await ask("breakers.get", { name: name ?? "", store: store || null });
      if (json) context.print(JSON.stringify(found));
      else if (found.items.length > 0) context.print(drawBreakers(found.items, context));
      if (!json && found.shared !== null) context.print(drawShared(found.shared, context));
      if (found.why !== null) context.note(found.why);
      return exit.done;
    });
  },
});

export const breakersForceCommand = command({
  name: "breakers force-open",
  summary: "opens a breaker for a time: its consumers let nothing through until it is over or released",
  examples: [
    {
      line: "dlo breakers force-open payments-api --for 30m --reason 'the bank is migrating'",
      about: "it ends by itself, though nobody releases it",
    },
  ],
  details: [
    ...shared,
    "There is no way to force one closed: `dlo breakers probe` lets single messages through, and they decide.",
  ],
  operand,
  flags: {
    ...flags,
    for: optional(durationFlag({ about: "how long", default: "30m", min: "10s", max: "24h" }), "it must be said"),
    shorten: switchFlag("also where it would be open for longer than that, which is refused otherwise"),
    reason,
  },

  async run({ operand: name, store, reason: why, for: forMs, shorten, json, ...values }, context) {
    if (forMs === null)
      throw new UsageError(
        "missing_value",
        "Say for how long: --for 30m. A breaker that stays open for ever stops a queue for ever.",
      );
    if (why === "") throw new UsageError("missing_value", "Say why: --reason 'the bank is migrating'.");
    return withOffice(values, context, async ({ ask }) => {
      const input = { name: name ?? "", store: store || null, forSeconds: forMs / 1_000, shorten, reason: why };
      return tellOf(await ask("breakers.force", input), name ?? "", json, context);
    });
  },
});

export const breakersReleaseCommand = orderCommand("breakers.release", {
  name: "breakers release",
  summary: "ends what somebody forced open: single messages are let through at once, and what becomes of them decides",
  examples: [{ line: "dlo breakers release payments-api", about: "before its time is over" }],
});

export const breakersProbeCommand = orderCommand("breakers.probe", {
  name: "breakers probe",
  summary: "lets an open breaker try a message at once, before its time is over",
  examples: [{ line: "dlo breakers probe payments-api", about: "the next message goes through as a trial" }],
});

/** An order that says nothing but which breaker, and why. */
function orderCommand(
  order: "breakers.release" | "breakers.probe",
  about: Pick<Command, "name" | "summary" | "examples">,
): Command {
  return command({
    ...about,
    details: shared,
    operand,
    flags: { ...flags, reason },

    async run({ operand: name, store, reason: why, json, ...values }, context) {
      return withOffice(values, context, async ({ ask }) => {
        const input = { name: name ?? "", store: store || null, reason: why };
        return tellOf(await ask(order, input), name ?? "", json, context);
      });
    },
  });
}

type Shared = OutputOf<"breakers.release">;

function tellOf(state: Shared, name: string, json: boolean, context: Context): number {
  context.print(json ? JSON.stringify(state) : drawShared(state, context));
  context.note(`The consumers of ${visible(name)} follow within a second.`);
  return exit.done;
}

function drawShared({ store, state, isForced, openUntil, transitions, counters }: Shared, { when }: Context): string {
  const until = openUntil === null ? "" : `, until ${openUntil}`;
  const { succeeded, failed, denied, opened } = counters;
  return [
    `${isForced ? "forced open" : state}${until}, shared in ${visible(store)}`,
    `  calls: ${succeeded} succeeded, ${failed} failed, ${denied} not let through; opened ${showCount(opened, "time")}`,
    ...transitions.slice(-10).map(({ at, to, because }) => `  ${when(at)}  ${to}: ${visible(because)}`),
  ].join("\n");
}
