import { alertKindFacts, alertKinds } from "../../domain/alert-rule.ts";
import { categories } from "../../domain/classification.ts";
import { durationMs } from "../../domain/duration.ts";
import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { choiceFlag, choicesFlag, durationFlag, optional, switchFlag, textFlag, textsFlag } from "../flags.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import type { ShowMoment } from "../terminal/moments.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";

const operand = { placeholder: "RULE", about: "the rule's name", required: true } as const;

export const alertsRulesCommand = command({
  name: "alerts rules",
  summary: "when somebody is told, in words, and whom that tells",
  examples: [{ line: "dlo alerts rules", about: "TELLS: notifiers of the configuration" }],
  flags: ledgerFlags,

  async run({ json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const found = await ask("alerts.rules", {});
      const rows = found.items.map(({ name, mutedUntil, tells, sentence }) => {
        return [name, mutedUntil ?? "", visible(tells.join(", ") || "nobody"), visible(sentence)];
      });
      if (json) context.print(JSON.stringify(found));
      else if (rows.length > 0) context.print(table(columns, rows, context.terminal));
      if (rows.length === 0) context.note("There is none. `dlo alerts set NAME --when growing` makes one.");
      if (found.notifiers.length === 0)
        context.note("The configuration has no `notifiers`: nobody is told of anything.");
      return exit.done;
    });
  },
});

const columns = ["RULE", "MUTED UNTIL", "TELLS", "WHEN"].map((title) => ({ title, align: "left" as const }));

const ruleFlags = {
  when: optional(
    choiceFlag({ about: "what it watches for", of: alertKinds, default: "growing", placeholder: "KIND" }),
    "",
  ),
  queue: textsFlag({ placeholder: "SOURCE/QUEUE", about: "only there; * stands for any characters; may be repeated" }),
  category: choicesFlag({ about: "only letters of these; else all that are mended at night", of: categories }),
  over: textFlag({ placeholder: "N|TIME", about: "more letters than this, or longer: as the kind has it" }),
  for: optional(
    durationFlag({
      about: "how long it must hold, and be over, before that is said",
      default: "0s",
      min: "0s",
      max: "1d",
    }),
    "as the kind has it",
  ),
  tell: textsFlag({ placeholder: "NOTIFIER", about: "only these; else all who take alerts; may be repeated" }),
  preview: switchFlag("only says what it would find now, and would have said over the last 14 days"),
};

export const alertsSetCommand = command({
  name: "alerts set",
  summary: "makes or changes a rule by which somebody is told",
  examples: [
    { line: "dlo alerts set grows --when growing", about: "a group that grows, anywhere" },
    {
      line: "dlo alerts set old-orders --when age --over 1h --queue 'rabbit/orders*' --tell oncall",
      about: "one of them",
    },
    { line: "dlo alerts set deep --when depth --over 1000 --for 5m --preview", about: "what it would find now" },
  ],
  details: [
    `Kinds: ${alertKinds.map((kind) => `\`${kind}\`: ${alertKindFacts[kind].words}`).join("; ")}.`,
    "A rule of that name is replaced as a whole: say all of it again. What it finds is said once when it begins and once when it is over; it is in " +
      "the audit log, and notifiers are told from there.",
  ],
  operand,
  flags: { ...ledgerFlags, ...ruleFlags },

  async run({ operand: name, preview, when, queue, category, over, for: holdMs, tell, json, ...values }, context) {
    const kind = kindOf(when);
    const rule = {
      ...{ name: name ?? "", kind, queues: [...queue], notifiers: [...tell] },
      ...(category.length === 0 ? {} : { categories: [...category] }),
      ...(over === "" ? {} : { over: limitOf(kind, over) }),
      ...(holdMs === null ? {} : { holdS: Math.round(holdMs / 1_000) }),
    };
    return withOffice(values, context, async ({ ask }) => {
      const said = preview ? await ask("alerts.preview", rule) : await ask("alerts.setRule", rule);
      context.print(json ? JSON.stringify(said) : drawing(said, context.when));
      return exit.done;
    });
  },
});

export const alertsMuteCommand = command({
  name: "alerts mute",
  summary: "that nobody looks at a rule for a while; what it found is over meanwhile",
  examples: [
    { line: "dlo alerts mute old-orders --for 2h", about: "while somebody works on it" },
    { line: "dlo alerts mute old-orders --for 0s", about: "looked at again from now on" },
  ],
  operand,
  flags: { ...ledgerFlags, for: durationFlag({ about: "how long", default: "1h", min: "0s", max: "90d" }) },

  async run({ operand: name, for: muteMs, json, ...values }, context) {
    const until = muteMs === 0 ? null : new Date(context.clock.now() + muteMs).toISOString();
    return withOffice(values, context, async ({ ask }) => {
      const muted = await ask("alerts.mute", { name: name ?? "", until });
      const said = until === null ? "is looked at" : `is muted until ${context.when(until, "utc")}`;
      context.print(json ? JSON.stringify(muted) : `${muted.name} ${said}.`);
      return exit.done;
    });
  },
});

export const alertsRemoveCommand = command({
  name: "alerts remove",
  summary: "takes a rule away; what it found is over",
  examples: [{ line: "dlo alerts remove old-orders", about: "its alerts stay on record" }],
  operand,
  flags: ledgerFlags,

  async run({ operand: name, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const removed = await ask("alerts.removeRule", { name: name ?? "" });
      context.print(json ? JSON.stringify(removed) : `${removed.name} is removed.`);
      return exit.done;
    });
  },
});

export const alertsTestCommand = command({
  name: "alerts test",
  summary: "tells whom a rule would tell that you try it",
  examples: [{ line: "dlo alerts test grows", about: "does the message arrive?" }],
  operand,
  flags: ledgerFlags,

  async run({ operand: name, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const tested = await ask("alerts.test", { name: name ?? "" });
      context.print(json ? JSON.stringify(tested) : toldLine(tested.tells, "is told by an office at work"));
      return exit.done;
    });
  },
});

/** A rule is replaced as a whole: who only raises the limit of one must not make it one of another kind unawares. */
function kindOf(when: (typeof alertKinds)[number] | null): (typeof alertKinds)[number] {
  if (when !== null) return when;
  throw new UsageError(
    "missing_value",
    "`--when` is missing: what does it watch for?",
    `One of ${alertKinds.join(", ")}.`,
  );
}

/** Letters or a time, as the kind has it. */
function limitOf(kind: (typeof alertKinds)[number], text: string): number {
  const isTime = alertKindFacts[kind].unit === "seconds";
  const limit = isTime ? Math.round(durationMs(text) / 1_000) : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(limit)) {
    const example = isTime ? "a time such as 30m or 6h" : "a number of letters";
    throw new UsageError("unexpected_value", `\`--over ${text}\` is not ${example}, as \`--when ${kind}\` takes it.`);
  }
  return limit;
}

interface SaidRule {
  readonly sentence: string;
  readonly tells: readonly string[];
  readonly found?: readonly { readonly sentence: string }[];
  readonly past?: OutputOf<"alerts.preview">["past"];
}

function drawing({ sentence, tells, found, past }: SaidRule, when: ShowMoment): string {
  const now =
    found === undefined
      ? []
      : [`Now: ${showCount(found.length, "alert")}.`, ...found.map((each) => `  ${visible(each.sentence)}`)];
  return [visible(sentence), toldLine(tells, "is told"), ...now, ...pastLines(past, when)].join("\n");
}

function pastLines(past: SaidRule["past"], when: ShowMoment): readonly string[] {
  if (past === undefined) return [];
  const items = past.items.map(({ at, until, sentence }) => {
    return `  ${when(at, "utc")} to ${until === null ? "now" : when(until, "utc")}  ${visible(sentence)}`;
  });
  const more = past.times > past.items.length ? [`  and ${past.times - past.items.length} before`] : [];
  return [past.sentence, ...items, ...more, ...past.limits.map((limit) => visible(limit))];
}

function toldLine(tells: readonly string[], said: string): string {
  return tells.length === 0
    ? "Nobody is told: no notifier of the configuration takes it."
    : `${visible(tells.join(", "))} ${said}.`;
}
