import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import { type Command, type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { textFlag, textsFlag } from "../flags.ts";
import { visible } from "../terminal/text.ts";
import { letterOperand, selectionFlags, which } from "./decide.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";

const letter = "ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H";
const group = "grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H";

const tagFlag = textsFlag({ placeholder: "TAG", about: "such as hold; several: give it again" });

const details: readonly string[] = [
  "`tag:hold` in a search finds letters with that tag and letters of a group with it; `-tag:hold` leaves both out. A tag has letters, " +
    "digits and . - _ /, at most 50 characters, in any case; a letter or group has 20 tags at most. Rules of a policy may put tags " +
    "on letters too.",
];

/** What is meant, or a refusal that says how it is written. */
function tagsOf(tags: readonly string[]): string[] {
  if (tags.length > 0) return [...tags];
  throw new UsageError("missing_value", "`--tag` is missing: which tag?", "Such as --tag hold.");
}

function taggingLetters(verb: "tag" | "untag", summary: string): Command {
  const done = verb === "tag" ? "tagged" : "untagged";
  return command({
    name: `letters ${verb}`,
    summary,
    examples: [
      { line: `dlo letters ${verb} ${letter} --tag hold`, about: "one letter" },
      {
        line: `dlo letters ${verb} -q 'key:o-1001' --tag hold --expect-count 2 --reason 'the customer disputes it'`,
        about: "all that match",
      },
    ],
    details,
    operand: letterOperand,
    flags: { ...selectionFlags, tag: tagFlag },

    run: (values, context) => {
      const { tag, reason, json } = values;
      const tags = tagsOf(tag);
      return withOffice(values, context, async ({ ask }) => {
        const answer = await ask(`letters.${verb}`, { ...(await which(values, context)), tags, reason });
        const others = answer.letters - answer.changed;
        const already = others === 0 ? "" : ` ${showCount(others, "other was", "others were")} so already.`;
        const text = `${showCount(answer.changed, "letter")} ${done}: ${answer.tags.join(", ")}.${already}`;
        context.print(json ? JSON.stringify(answer) : text);
        return exit.done;
      });
    },
  });
}

export const lettersTagCommand = taggingLetters("tag", "puts tags on letters");
export const lettersUntagCommand = taggingLetters("untag", "takes tags off letters");

function taggingGroup(verb: "tag" | "untag", summary: string): Command {
  return command({
    name: `groups ${verb}`,
    summary,
    examples: [{ line: `dlo groups ${verb} ${group} --tag hold`, about: "all its letters, those to come too" }],
    details,
    operand: { placeholder: "GROUP", about: "the group's id: grp_…", required: true },
    flags: {
      ...ledgerFlags,
      tag: tagFlag,
      reason: textFlag({ placeholder: "TEXT", about: "why, for whoever looks later" }),
    },

    run: ({ operand, tag, reason, json, ...values }, context) => {
      const tags = tagsOf(tag);
      return withOffice(values, context, async ({ ask }) =>
        sayOf(await ask(`groups.${verb}`, { id: operand ?? "", tags, reason }), json, context),
      );
    },
  });
}

function sayOf(answer: OutputOf<"groups.tag">, json: boolean, context: Context): number {
  const { group: id, tags } = answer;
  const has = tags.length === 0 ? "no tags" : `the tags ${tags.map(({ tag }) => visible(tag)).join(", ")}`;
  context.print(json ? JSON.stringify(answer) : `${id} has ${has}.`);
  return exit.done;
}

export const groupsTagCommand = taggingGroup("tag", "puts tags on a group and so on its letters");
export const groupsUntagCommand = taggingGroup("untag", "takes tags off a group");
