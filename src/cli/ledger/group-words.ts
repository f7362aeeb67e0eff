import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { durationFlag, optional, switchFlag, textFlag } from "../flags.ts";
import { visible } from "../terminal/text.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

const group = "grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H";
const operand = { placeholder: "GROUP", about: "the group's id: grp_…", required: true };
const reason = textFlag({ placeholder: "TEXT", about: "why, for whoever looks later" });

type Attended = OutputOf<"groups.acknowledge">;

/** Who has it and whether it may wait, in sentences. */
export function attentionLines({
  status,
  by,
  until,
  isUntilWorse,
  ended,
  assignee,
  introducedBy,
}: Omit<Attended, "group">): string[] {
  const ends = [until ?? "", isUntilWorse ? "it gets worse" : ""].filter((end) => end !== "").join(" or ");
  return [
    ...(assignee === null ? [] : [`It is ${visible(assignee)}'s.`]),
    ...(introducedBy === null ? [] : [`${visible(introducedBy)} introduced it.`]),
    ...(status === null ? [] : [`It was ${status} by ${visible(by ?? "")}, until ${ends}.`]),
    ...(ended === null ? [] : [`It asks for attention again: ${ended}`]),
  ];
}

/** What it comes to, for a person or a program. */
function say(context: Context, answer: Attended, { json, said }: { readonly json: boolean; readonly said: string }) {
  context.print(json ? JSON.stringify(answer) : [`${answer.group}: ${said}.`, ...attentionLines(answer)].join("\n"));
  return exit.done;
}

export const groupsAckCommand = command({
  name: "groups ack",
  summary: "says that a group was seen: it goes down in the inbox until it gets worse",
  examples: [{ line: `dlo groups ack ${group} --reason 'payments knows'`, about: "no more at the top" }],
  details: [
    "It gets worse when a letter of it comes back after a replay, when its category changes, when it grows (ten open letters more " +
      "and half as many again, or thrice the failures of the hours before), and when its oldest letter gets a day old.",
  ],
  operand,
  flags: { ...ledgerFlags, reason },

  run: ({ operand: id, reason: why, json, ...values }, context) =>
    withOffice(values, context, async ({ ask }) => {
      const answer = await ask("groups.acknowledge", { id: id ?? "", reason: why || null });
      return say(context, answer, { json, said: "acknowledged" });
    }),
});

export const groupsSnoozeCommand = command({
  name: "groups snooze",
  summary: "keeps a group out of the inbox until a time, or until it gets worse",
  examples: [
    { line: `dlo groups snooze ${group} --for 1h`, about: "for an hour" },
    { line: `dlo groups snooze ${group} --until 2026-11-17T09:00:00Z --until-worse`, about: "whichever comes first" },
  ],
  details: ["`dlo help groups ack` says what worse is. `dlo inbox --all` shows snoozed groups too."],
  operand,
  flags: {
    ...ledgerFlags,
    for: optional(durationFlag({ about: "for so long", default: "1h", min: "1s", max: "90d" }), "no time"),
    until: textFlag({ placeholder: "TIME", about: "until then, such as 2026-11-17T09:00:00Z" }),
    "until-worse": switchFlag("until it gets worse"),
    reason,
  },

  run: ({ operand: id, for: forMs, until, "until-worse": untilWorse, reason: why, json, ...values }, context) => {
    if (forMs !== null && until !== "")
      throw new UsageError("unexpected_value", "Give `--for` or `--until`, not both.");
    if (forMs === null && until === "" && !untilWorse)
      throw new UsageError("missing_value", "Until when? Give `--for`, `--until` or `--until-worse`.");
    const end = forMs === null ? until || null : new Date(context.clock.now() + forMs).toISOString();
    return withOffice(values, context, async ({ ask }) => {
      const answer = await ask("groups.snooze", { id: id ?? "", until: end, untilWorse, reason: why || null });
      return say(context, answer, { json, said: "snoozed" });
    });
  },
});

export const groupsWakeCommand = command({
  name: "groups wake",
  summary: "takes back that a group was acknowledged or snoozed",
  examples: [{ line: `dlo groups wake ${group}`, about: "back to its place in the inbox" }],
  operand,
  flags: { ...ledgerFlags, reason },

  run: ({ operand: id, reason: why, json, ...values }, context) =>
    withOffice(values, context, async ({ ask }) => {
      const answer = await ask("groups.wake", { id: id ?? "", reason: why || null });
      return say(context, answer, { json, said: "asks for attention" });
    }),
});

export const groupsAssignCommand = command({
  name: "groups assign",
  summary: "says who has a group: a person or a team",
  examples: [
    { line: `dlo groups assign ${group} --to me`, about: "it is yours" },
    { line: `dlo groups assign ${group} --to nobody`, about: "it is nobody's any more" },
  ],
  operand,
  flags: {
    ...ledgerFlags,
    to: textFlag({ placeholder: "NAME", about: "a person or a team; `me`, or `nobody`" }),
    reason,
  },

  run: ({ operand: id, to, reason: why, json, ...values }, context) => {
    if (to === "") throw new UsageError("missing_value", "`--to` is missing: who has it?");
    return withOffice(values, context, async ({ ask }) => {
      const input = { id: id ?? "", to: to === "nobody" ? null : to, reason: why || null };
      return say(context, await ask("groups.assign", input), { json, said: to === "nobody" ? "nobody's" : "assigned" });
    });
  },
});

export const groupsIntroducedByCommand = command({
  name: "groups introduced-by",
  summary: "record what brought the bug of a group in: a commit or a version",
  examples: [
    {
      line: `dlo groups introduced-by ${group} --commit 3f2a91c`,
      about: "as soon as it is found, before there is a fix",
    },
    { line: `dlo groups introduced-by ${group} --commit unknown`, about: "when it was another one after all" },
  ],
  details: [
    "A deploy of that version, or of a version that ends in that commit, is marked in the group's history and beside its failures. " +
      "Another commit takes the place of the one before; all of them stay in the history and in the audit log.",
  ],
  operand,
  flags: {
    ...ledgerFlags,
    commit: textFlag({ placeholder: "COMMIT", about: "a commit or a version; `unknown` takes it back" }),
    reason,
  },

  run: ({ operand: id, commit, reason: why, json, ...values }, context) => {
    if (commit === "") throw new UsageError("missing_value", "`--commit` is missing: what brought the bug in?");
    return withOffice(values, context, async ({ ask }) => {
      const said = commit === "unknown" ? null : commit;
      const answer = await ask("groups.introducedBy", { id: id ?? "", commit: said, reason: why || null });
      return say(context, answer, { json, said: said === null ? "taken back" : "recorded" });
    });
  },
});

export const groupsNoteCommand = command({
  name: "groups note",
  summary: "adds a note to a group's history, which is never deleted",
  examples: [{ line: `dlo groups note ${group} --text 'vendor ticket 4711'`, about: "for whoever looks later" }],
  operand,
  flags: { ...ledgerFlags, text: textFlag({ placeholder: "TEXT", about: "what to remember" }) },

  run: ({ operand: id, text, json, ...values }, context) => {
    if (text === "") throw new UsageError("missing_value", "`--text` is missing: what is to be remembered?");
    return withOffice(values, context, async ({ ask }) =>
      say(context, await ask("groups.note", { id: id ?? "", text }), { json, said: "noted" }),
    );
  },
});
