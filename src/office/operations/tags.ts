import { z } from "zod";
import { readTags, tagLimits } from "../../domain/tags.ts";
import { readGroup } from "../../ledger/search/find-groups.ts";
import { tagsOfGroups } from "../../ledger/tags.ts";
import { namedGroup } from "../attend/attend-group.ts";
import { type TagChange, tagGroup, tagging, tagLetters } from "../decide/tag-letters.ts";
import { putTag } from "./letter-shapes.ts";
import { operation } from "./operation.ts";
import { selectedLetters, selectLetters } from "./select-letters.ts";

const said = {
  /** In any case; kept in small letters. */
  tags: z.array(z.string()).max(tagLimits.each),
  reason: z.string().max(2_000).default(""),
};

function taggingLetters(change: TagChange, summary: string) {
  return operation({
    ...{ name: `letters.${change}`, summary, role: "operator", isScoped: true },
    input: selectedLetters.extend(said),
    output: z.object({
      /** That were meant. */
      letters: z.number(),
      /** That were not so already. */
      changed: z.number(),
      tags: z.array(z.string()),
    }),
    async run(office, given, actor) {
      const tags = readTags(given.tags);
      const letters = await selectLetters(office, actor, tagging, given);
      const changed = await tagLetters(office.replay, actor, change, { letters, tags, reason: given.reason });
      return { letters: letters.length, changed: changed.length, tags: [...tags] };
    },
  });
}

function taggingGroup(change: TagChange, summary: string) {
  return operation({
    ...{ name: `groups.${change}`, summary, role: "operator", isScoped: true },
    input: z.object({ id: z.string(), ...said }),
    output: z.object({
      group: z.string(),
      /** That were not so already. */
      changed: z.array(z.string()),
      /** All that it has now. */
      tags: z.array(putTag),
    }),
    async run({ ledger, clock, replay }, { id, tags, reason }, actor) {
      const { group, changed } = await tagGroup(replay, actor, change, { id, tags: readTags(tags), reason });
      const { ids } = namedGroup(await readGroup(ledger, group, clock.now()));
      return { group, changed: [...changed], tags: [...(await tagsOfGroups(ledger, ids))] };
    },
  });
}

export const tagSomeLetters = taggingLetters("tag", "puts tags on letters, to find them by and to keep them out");
export const untagSomeLetters = taggingLetters("untag", "takes tags off letters; those of their group stay");
export const tagOneGroup = taggingGroup("tag", "puts tags on a group: all its letters have them, those to come too");
export const untagOneGroup = taggingGroup("untag", "takes tags off a group; those of its letters alone stay");
