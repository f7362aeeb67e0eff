import { categories } from "../../domain/classification.ts";
import { idOfUuid, showId } from "../../domain/ids.ts";
import { groupsSpokenOf } from "../../ledger/group-words.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { findGroups } from "../../ledger/search/find-groups.ts";
import type { Attend, AttendedKind } from "../../ledger/search/search-condition.ts";
import { attentionsOf, namedGroup } from "./attend-group.ts";

/** Whether a group may wait goes by how it stands now, so groups are looked at as the inbox does. */
export function attendFor(ledger: Ledger, me: string, now: number): Attend {
  return async () => {
    const ids = (await groupsSpokenOf(ledger, me)).map((id) => showId("group", idOfUuid(id)));
    const attended = new Map<AttendedKind, string[]>();
    if (ids.length === 0) return attended;
    const groups = await findGroups(ledger, {
      ...{ q: "", limit: ids.length, onlyOpen: false, now, retentionMs: Number.MAX_SAFE_INTEGER },
      only: { queues: [], categories, openOver: -1, ids },
    });
    const attentions = await attentionsOf(ledger, groups, now);
    for (const [place, group] of groups.entries()) {
      const { status = null, assignee = null } = attentions[place] ?? {};
      const kinds: readonly (AttendedKind | null)[] = [status, assignee === me ? "mine" : null];
      for (const kind of kinds)
        if (kind !== null) attended.set(kind, [...(attended.get(kind) ?? []), ...namedGroup(group).ids]);
    }
    return attended;
  };
}
