import { type Command, type Context, command, type ReplayStates } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { numberFlag, numbersFlag, optional, switchFlag, textFlag } from "../flags.ts";
import { type AtWork, ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { replayIn, replayOperand } from "./look.ts";
import { drawReplay, type ShownReplay } from "./show-replay.ts";

const reasonFlag = textFlag({ placeholder: "TEXT", about: "why, for whoever looks later" });
const example = "rpl_01JCQ8ZK4M6T8V0X2Z4B6D8F0H";
const flags = { ...ledgerFlags, reason: reasonFlag };

type Saying =
  | ("replays.ask" | "replays.reject" | "replays.revoke" | "replays.breakGlass")
  | ("replays.pause" | "replays.resume" | "replays.cancel");

/** A command that says one thing about one replay, in one of these states. */
function saying(verb: string, summary: string, operation: Saying, states: ReplayStates): Command<typeof flags> {
  return command({
    ...{ name: `replay ${verb}`, summary, operand: replayIn(...states), flags },
    examples: [{ line: `dlo replay ${verb} ${example} --reason 'payments is back'`, about: summary }],
    run: ({ operand, reason, json, ...values }, context) =>
      withOffice(values, context, async ({ ask }) =>
        told(await ask(operation, { id: operand ?? "", reason }), json, context),
      ),
  });
}

const asked: ReplayStates = ["awaiting_approval", "approved"];
const underWay: ReplayStates = ["running", "paused", "settling", "halted"];

export const replayAskCommand = saying("ask", "asks for the approvals a plan needs", "replays.ask", [
  "planned",
  "approved",
]);
export const replayRejectCommand = saying("reject", "says no to a plan, for good", "replays.reject", asked);
export const replayRevokeCommand = saying("revoke", "takes your own approval back", "replays.revoke", [
  ...asked,
  ...underWay,
]);
export const replayResumeCommand = saying("resume", "lets one go on after a pause or a halt", "replays.resume", [
  "paused",
  "halted",
]);
export const replayCancelCommand = saying("cancel", "ends one; what was sent cannot be recalled", "replays.cancel", [
  "planned",
  ...asked,
  ...underWay,
]);
export const replayBreakGlassCommand = saying(
  "break-glass",
  "stands in for missing approvals, loudly and for ever on the record",
  "replays.breakGlass",
  ["awaiting_approval"],
);

export const replayPauseCommand = command({
  name: "replay pause",
  summary: "sends nothing more until it is resumed; what is under way is finished",
  examples: [
    { line: `dlo replay pause ${example}`, about: "one" },
    { line: "dlo replay pause --all", about: "stops all sending, until dlo replay release" },
  ],
  operand: { ...replayIn("running", "settling"), required: false },
  flags: { ...flags, all: switchFlag("every replay that runs, and nothing starts until it is released") },

  async run({ operand, reason, all, json, ...values }, context) {
    if (all === (operand !== null)) throw new UsageError("missing_value", "Name one replay, or say --all.");
    return withOffice(values, context, async (work) => {
      if (all) return pausedAll(work, reason, json, context);
      return told(await work.ask("replays.pause", { id: operand ?? "", reason }), json, context);
    });
  },
});

async function pausedAll({ ask }: AtWork, reason: string, json: boolean, context: Context): Promise<number> {
  const { paused } = await ask("replays.pauseAll", { reason });
  if (json) context.print(JSON.stringify({ paused }));
  else if (paused.length > 0) context.print(paused.join("\n"));
  context.note(
    `${paused.length === 0 ? "Nothing was running" : `${paused.length} paused`}. Sending is stopped until \`dlo replay release\`.`,
  );
  return exit.done;
}

export const replayReleaseCommand = command({
  name: "replay release",
  summary: "lets replays start and go on again, after all sending was stopped",
  examples: [{ line: "dlo replay release --reason 'the customer was told'", about: "each is then resumed by itself" }],
  flags,

  async run({ reason, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const released = await ask("replays.release", { reason });
      if (json) context.print(JSON.stringify(released));
      context.note("Replays may start and go on. Those that were paused wait for `dlo replay resume`.");
      return exit.done;
    });
  },
});

export const replayApproveCommand = command({
  name: "replay approve",
  summary: "says yes to exactly the plan you saw",
  examples: [{ line: `dlo replay approve ${example} --hash 9c41e2d0a7b3 --as ops-2`, about: "a second person" }],
  details: [
    "The hash is what `dlo replay show` ends with: the plan and the risks somebody answered for. Twelve digits will do. If " +
      "anything was acknowledged since, approving is refused, and the plan has to be looked at again.",
  ],
  operand: replayIn("awaiting_approval", "approved", "paused", "halted"),
  flags: {
    ...flags,
    hash: textFlag({ placeholder: "HASH", about: "what you saw; the first twelve digits will do" }),
    risks: textFlag({ placeholder: "CODE[,CODE...]", about: "the acknowledged risks you saw, where there are any" }),
  },

  async run({ operand, reason, hash, risks, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const id = operand ?? "";
      const { approvalHash } = await ask("replays.get", { id });
      const seen = hash.length >= 12 && approvalHash.startsWith(hash) ? approvalHash : hash;
      const given = { id, reason, hash: seen, risks: risks === "" ? [] : risks.split(",") };
      return told(await ask("replays.approve", given), json, context);
    });
  },
});

const itemsFlag = optional(
  numbersFlag({ about: "items by number", default: [], min: 1, max: 1e9, integer: true }),
  "none",
);

export const replayAcknowledgeCommand = command({
  name: "replay acknowledge",
  summary: "answers for a risk: of some items, or of all that have the same one",
  examples: [
    { line: `dlo replay acknowledge ${example} --items 3,7 --reason 'not charged, checked'`, about: "two letters" },
    {
      line: `dlo replay acknowledge ${example} --code order.not_kept --reason 'order is of no concern'`,
      about: "all of a kind",
    },
  ],
  operand: replayIn("planned"),
  flags: { ...flags, items: itemsFlag, code: textFlag({ placeholder: "CODE", about: "all items with this risk" }) },

  async run({ operand, reason, items, code, json, ...values }, context) {
    if ((items === null) === (code === "")) throw new UsageError("missing_value", "Name --items, or a --code.");
    return withOffice(values, context, async ({ ask }) => {
      const which = items === null ? { code } : { items: [...items] };
      return told(await ask("replays.acknowledge", { id: operand ?? "", reason, ...which }), json, context);
    });
  },
});

export const replayExcludeCommand = command({
  name: "replay exclude",
  summary: "takes letters out of a plan; nothing can be added to one",
  examples: [{ line: `dlo replay exclude ${example} --items 3,7`, about: "two letters stay" }],
  operand: replayIn("planned", "awaiting_approval", "approved", "paused", "halted"),
  flags: { ...flags, items: itemsFlag },

  async run({ operand, reason, items, json, ...values }, context) {
    if (items === null) throw new UsageError("missing_value", "Name the items: --items 3,7.");
    return withOffice(values, context, async ({ ask }) =>
      told(await ask("replays.exclude", { id: operand ?? "", reason, items: [...items] }), json, context),
    );
  },
});

export const replaySettleCommand = command({
  name: "replay settle",
  summary: "says what became of sends in doubt, where no evidence comes",
  examples: [
    {
      line: `dlo replay settle ${example} --items 3,7 --treat-as-sent --reason 'seen in its log'`,
      about: "it was sent",
    },
    {
      line: `dlo replay settle ${example} --expect-count 12 --plan-again --reason 'the broker had lost its disk'`,
      about: "all twelve in doubt are open again, to be planned anew",
    },
  ],
  details: [
    "A crash between sending a letter and noting so leaves it in doubt. A report of its consumer or its return settles that; where " +
      "neither comes, look for the letter at its destination, and say what you found. Planned again, it may arrive twice. For " +
      "20 seconds after it came into doubt that is refused: whoever was sending may still wake up and do so.",
  ],
  operand: replayOperand,
  flags: {
    ...flags,
    items: itemsFlag,
    "expect-count": optional(
      numberFlag({ about: "all that are in doubt, if they are so many", default: 1, min: 1, max: 1e9 }),
      "none",
    ),
    "treat-as-sent": switchFlag("they are at their destination"),
    "plan-again": switchFlag("they are not, or it does not matter: their letters are open again"),
  },

  async run(given, context) {
    const { operand, reason, items, json, "treat-as-sent": asSent, "plan-again": again, ...values } = given;
    const expectCount = values["expect-count"];
    if (asSent === again) throw new UsageError("missing_value", "Say --treat-as-sent, or --plan-again.");
    if ((items === null) === (expectCount === null)) {
      throw new UsageError("missing_value", "Name --items, or how many are in doubt: --expect-count.");
    }
    const which = items === null ? { expectCount: expectCount ?? 0 } : { items: [...items] };
    const said = { id: operand ?? "", reason, verdict: asSent ? ("sent" as const) : ("plan_again" as const), ...which };
    return withOffice(values, context, async ({ ask }) => {
      const code = told(await ask("replays.settle", said), json, context);
      if (again) context.note("Their letters are open again: a new `dlo replay plan` takes them in.");
      return code;
    });
  },
});

function told(replay: ShownReplay, json: boolean, context: Context): number {
  context.print(json ? JSON.stringify(replay) : drawReplay(replay, context));
  return exit.done;
}
