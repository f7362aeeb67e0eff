import { categories } from "../../domain/classification.ts";
import { idOfUuid, showId } from "../../domain/ids.ts";
import { foldCounters } from "../../ledger/fold-counters.ts";
import { assigneesOf, groupsEverAssigned, groupsToldToWait, type NamedGroup } from "../../ledger/group-words.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { findGroups } from "../../ledger/search/find-groups.ts";
import { type GroupNames, readGroupNames } from "../../ledger/search/group-names.ts";
import type { AttendedKind } from "../../ledger/search/match-attention.ts";
import type { Attend } from "../../ledger/search/search-condition.ts";
import { attentionsOf, namedGroup } from "./attend-group.ts";

type WaitingKind = Exclude<AttendedKind, "mine">;

/** Looks for no more than what is asked for: who has a group costs less than whether it may wait. */
export function attendFor(ledger: Ledger, me: string, now: number): Attend {
  return async (kinds) => {
    const names = await readGroupNames(ledger);
    const waiting = (["snoozed", "acknowledged"] as const).filter((kind) => kinds.has(kind));
    return new Map<AttendedKind, readonly string[]>([
      ...(kinds.has("mine") ? [["mine", await assignedTo(ledger, me, names)] as const] : []),
      ...(waiting.length > 0 ? await waitingGroups(ledger, { kinds: waiting, names, now }) : []),
    ]);
  };
}

async function assignedTo(ledger: Ledger, me: string, names: GroupNames): Promise<readonly string[]> {
  const standing = new Set((await groupsEverAssigned(ledger, me)).map((id) => names.standing(id)));
  const groups = new Map<string, readonly string[]>([...standing].map((id) => [id, [id]]));
  for (const [id, into] of names.merged) {
    const ids = groups.get(into);
    if (ids !== undefined) groups.set(into, [...ids, id]);
  }
  const named = [...groups].map(([id, ids]): NamedGroup => ({ id, ids }));
  const assignees = await assigneesOf(ledger, named);
  return named.filter(({ id }) => assignees.get(id) === me).flatMap(({ ids }) => ids);
}

interface Asked {
  readonly kinds: readonly WaitingKind[];
  readonly names: GroupNames;
  readonly now: number;
}

/** Whether a group may wait goes by how it stands now, so groups are looked at as the inbox does. */
async function waitingGroups(
  ledger: Ledger,
  { kinds, names, now }: Asked,
): Promise<readonly (readonly [WaitingKind, readonly string[]])[]> {
  await foldCounters(ledger);
  const ids = await groupsToldToWait(ledger, { kinds, merged: [...names.merged.keys()], now });
  if (ids.length === 0) return [];
  const groups = await findGroups(ledger, {
    ...{ q: "", limit: ids.length, onlyOpen: true, now, retentionMs: Number.MAX_SAFE_INTEGER },
    only: { queues: [], categories, openOver: 0, ids: ids.map((id) => showId("group", idOfUuid(id))) },
  });
  const attentions = await attentionsOf(ledger, groups, now);
  return kinds.map((kind) => {
    const such = groups.filter((_, place) => attentions[place]?.status === kind);
    return [kind, such.flatMap((group) => namedGroup(group).ids)];
  });
}
