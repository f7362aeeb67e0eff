import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import type { ShowMoment } from "../terminal/moments.ts";
import { columnsOf, table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { attentionLines } from "./group-words.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

const groupOperand = { placeholder: "GROUP", about: "its id, grp_…", required: true } as const;

export const groupsShowCommand = command({
  name: "groups show",
  summary: "one group in words that fit a chat or a ticket, and the one next step about it",
  examples: [
    { line: "dlo groups show grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", about: "what failed, how many, since when" },
    { line: "dlo groups show grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H --json", about: "for a program" },
  ],
  details: [
    "Behind it stands each gate its letters have to pass (what it waits for, what is seen of that now, since when, what opens it), the replays that " +
      "have letters of it in hand, why its letters are what they are, who has it and whether it may wait, and its history: notes, deploys, fixes, replays, the newest first.",
  ],
  operand: groupOperand,
  flags: ledgerFlags,

  async run({ operand, json, ...values }, context) {
    const { when } = context;
    return withOffice(values, context, async ({ ask }) => {
      const group = await ask("groups.get", { id: operand ?? "" });
      const { items: timeline, suspect } = await ask("groups.timeline", { id: group.id });
      const lines = [
        ...groupInLines(group),
        "",
        ...gateLines(group, when),
        ...reasonLines(group),
        ...attentionLines(group.attention),
        ...tagLines(group),
        ...historyLines({ items: timeline, suspect }, when),
      ];
      context.print(json ? JSON.stringify({ ...group, timeline, suspect }) : lines.map(visible).join("\n").trimEnd());
      return exit.done;
    });
  },
});

export const groupsCommonCommand = command({
  name: "groups common",
  summary:
    "what the latest letters of a group share and where they differ, what tells them from others of their queue first",
  examples: [
    { line: "dlo groups common grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", about: "one tenant, one host, one version?" },
    { line: "dlo groups common grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H --json", about: "with the search that finds each" },
  ],
  details: [
    "It looks at 500 letters of the group and 500 of its queue, the latest, and at what people may see of them: nothing that is masked.",
  ],
  operand: groupOperand,
  flags: ledgerFlags,

  async run({ operand, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const found = await ask("groups.common", { id: operand ?? "" });
      const rows = found.fields.map(({ field, sentence, isTelling }) => [
        ...[isTelling ? "!" : "", visible(field), visible(sentence)],
      ]);
      if (json) context.print(JSON.stringify(found));
      else if (rows.length > 0) context.print(table(columnsOf(["", "WHAT", "HOW"], []), rows, context.terminal));
      context.note(
        `${showCount(found.looked, "letter")}, compared with ${showCount(found.compared, "other")} of the queue.`,
      );
      return exit.done;
    });
  },
});

function tagLines({ tags }: Pick<OutputOf<"groups.get">, "tags">): readonly string[] {
  return tags.length === 0 ? [] : [`Tags: ${tags.map(({ tag }) => tag).join(", ")}`];
}

type Timeline = OutputOf<"groups.timeline">;

function historyLines({ items, suspect }: Pick<Timeline, "items" | "suspect">, when: ShowMoment): readonly string[] {
  const first =
    suspect === null
      ? []
      : [
          `First failed ${Math.round(suspect.secondsBefore / 60)} min after ${suspect.called} went live${suspect.isIntroduction ? ", which introduced it" : ""}.`,
        ];
  const lines = items.map(
    ({ at, by, sentence, text }) => `${when(at, "utc")}  ${by} ${sentence}${text === null ? "" : `: ${text}`}`,
  );
  return [...first, ...lines];
}

/** Why its letters are what they are; how many of them only where that differs. */
function reasonLines({ reasons, looked }: Pick<OutputOf<"groups.get">, "reasons" | "looked">): readonly string[] {
  if (reasons.length < 2) return reasons.map(({ category, sentence }) => `${category}: ${sentence}`);
  return reasons.map(({ category, n, sentence }) => `${category}, ${n} of the latest ${looked}: ${sentence}`);
}

type Gated = Pick<OutputOf<"groups.get">, "gates" | "inReplays">;

/** Why its next step is that one, where gates decide it, and who has letters of it in hand. */
function gateLines({ gates, inReplays }: Gated, when: ShowMoment): readonly string[] {
  const lines = gates.map(({ waitsFor, isOpen, sees, since, opens }) => {
    const stands = `${isOpen ? "open" : "waits"}${since === null ? "" : ` since ${when(since, "utc")}`}`;
    return [`${waitsFor}: ${stands}. ${sees}`, opens].filter((part) => part !== "").join(" ");
  });
  return [...lines, ...inReplays.map(({ sentence, replay }) => `${sentence}: dlo replay show ${replay}`)];
}

/** What is known of it, and what to type next. */
export function groupInLines({ id, summary }: Pick<OutputOf<"groups.get">, "id" | "summary">): readonly string[] {
  return [...summary.split("\n"), "", `dlo letters -q group:${id}`, `dlo replay plan -q group:${id}`];
}
