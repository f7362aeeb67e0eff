import type { Actor } from "../../domain/actor.ts";
import { OfficeError } from "../../domain/errors.ts";
import { readId, uuidOf } from "../../domain/ids.ts";
import { recordAction } from "../../ledger/audit.ts";
import { type GroupWord, insertGroupWord, type NamedGroup, standingWords } from "../../ledger/group-words.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { type GroupSummary, readGroup } from "../../ledger/search/find-groups.ts";
import { type Attention, attentionOf, stoodOf } from "./attention.ts";

/** What somebody says about a group. */
export type Saying = Pick<GroupWord, "kind"> & Partial<Pick<GroupWord, "text" | "said" | "until" | "isUntilWorse">>;

const nothingMore = { text: null, said: null, until: null, isUntilWorse: false };

/** Adds a word to what was said about a group, and gives what all of it comes to. */
export async function sayOfGroup(
  ledger: Ledger,
  actor: Actor,
  { id, now, ...saying }: Saying & { readonly id: string; readonly now: number },
): Promise<Attention & { readonly group: string }> {
  const group = await readGroup(ledger, id, now);
  if (saying.until != null && saying.until <= now)
    throw new OfficeError("INVALID_OPTION", "`until` is past already. Say a time that is still to come.");
  const word = {
    ...nothingMore,
    ...saying,
    at: now,
    actor: actor.id,
    stood: isAboutAttention(saying) ? stoodOf(group) : null,
  };
  await ledger.database.transaction(async (transaction) => {
    await insertGroupWord(ledger, transaction, namedGroup(group).id, word);
    const { text: reason, said, until, isUntilWorse } = word;
    const details = { group: group.id, reason, said, until: until === null ? null : isoOf(until), isUntilWorse };
    await recordAction(ledger, transaction, { at: now, actor, action: `groups.${word.kind}`, details });
  });
  const [attention] = await attentionsOf(ledger, [group], now);
  return { group: group.id, ...(attention ?? attentionOf(group, undefined, now)) };
}

/** Only what may end when a group gets worse has to know how it stood. */
function isAboutAttention({ kind }: Saying): boolean {
  return kind === "acknowledged" || kind === "snoozed";
}

/** Of each of these groups, in their order. */
export async function attentionsOf(
  ledger: Ledger,
  groups: readonly GroupSummary[],
  now: number,
): Promise<readonly Attention[]> {
  const named = groups.map(namedGroup);
  const words = await standingWords(ledger, named);
  return groups.map((group, at) => attentionOf(group, words.get(named[at]?.id ?? ""), now));
}

export function namedGroup({ id, mergedFrom }: Pick<GroupSummary, "id" | "mergedFrom">): NamedGroup {
  const [own = "", ...others] = [id, ...mergedFrom].map((each) => uuidOf(readId("group", each)));
  return { id: own, ids: [own, ...others] };
}

const isoOf = (ms: number) => new Date(ms).toISOString();
