import type { Actor } from "../../domain/actor.ts";
import { showId } from "../../domain/ids.ts";
import { letterStates } from "../../domain/letter.ts";
import { recordAction } from "../../ledger/audit.ts";
import { insertGroupWord } from "../../ledger/group-words.ts";
import { readGroup } from "../../ledger/search/find-groups.ts";
import { addGroupTags, addLetterTags, removeGroupTags, removeLetterTags } from "../../ledger/tags.ts";
import { namedGroup } from "../attend/attend-group.ts";
import type { Decidable, DecidingParts } from "./decide-letters.ts";

/** Whatever stands with a letter: a tag decides nothing about it. */
export const tagging: Decidable = { from: letterStates, does: "tag them" };

/** Putting tags on, or taking them off. */
export type TagChange = "tag" | "untag";

const actions = { tag: "tagged", untag: "untagged" } as const;

interface Tags {
  readonly tags: readonly string[];
  readonly reason: string;
}

/** Puts tags on letters, or takes them off. Gives the letters that this changed; the others had it so already. */
export async function tagLetters(
  { ledger, host }: DecidingParts,
  actor: Actor,
  change: TagChange,
  { letters, tags, reason }: Tags & { readonly letters: readonly Uint8Array[] },
): Promise<readonly Uint8Array[]> {
  const given = { letters, tags, by: actor.id, reason: reason === "" ? null : reason };
  return ledger.database.transaction(async (transaction) => {
    const changed =
      change === "tag"
        ? await addLetterTags(ledger, transaction, given)
        : await removeLetterTags(ledger, transaction, given);
    if (changed.length === 0) return changed;
    const details = { letters: changed.map((id) => showId("letter", id)), tags, reason };
    const action = `letters.${actions[change]}`;
    await recordAction(ledger, transaction, { at: host.clock.now(), actor, action, details });
    return changed;
  });
}

/** The same of a group: its letters have its tags, those too that come later. Gives the tags that this changed. */
export async function tagGroup(
  { ledger, host }: DecidingParts,
  actor: Actor,
  change: TagChange,
  { id, tags, reason }: Tags & { readonly id: string },
): Promise<{ readonly group: string; readonly changed: readonly string[] }> {
  const now = host.clock.now();
  const group = await readGroup(ledger, id, now);
  const { id: own, ids } = namedGroup(group);
  const changed = await ledger.database.transaction(async (transaction) => {
    const those =
      change === "tag"
        ? await addGroupTags(ledger, transaction, { group: own, tags, by: actor.id })
        : await removeGroupTags(ledger, transaction, { groups: ids, tags });
    if (those.length === 0) return those;
    const word = { kind: actions[change], text: reason === "" ? null : reason, said: those.join(", ") };
    const nothingMore = { until: null, isUntilWorse: false, stood: null };
    await insertGroupWord(ledger, transaction, own, { at: now, actor: actor.id, ...word, ...nothingMore });
    const details = { group: group.id, tags: those, reason };
    await recordAction(ledger, transaction, { at: now, actor, action: `groups.${actions[change]}`, details });
    return those;
  });
  return { group: group.id, changed };
}
