import type { Actor } from "../../domain/actor.ts";
import { hexOf } from "../../domain/ids.ts";
import type { Judge, Search } from "../../ledger/search/search-condition.ts";
import type { SourceBook } from "../../sources/source-book.ts";
import { attendFor } from "../attend/attended-groups.ts";
import { judgeAlone } from "./judge-alone.ts";
import type { ReplayParts } from "./replay-parts.ts";

export interface Searching {
  readonly clock: { now(): number };
  readonly retentionMs: number;
  readonly replay: ReplayParts;
  /** Where each source says who owns it. */
  readonly sources: { readonly book: Pick<SourceBook, "all"> };
}

/** What a search takes besides its text, for somebody and at this moment. */
export function searchedNow(searching: Searching, actor: Actor): Omit<Search, "q"> {
  return { ...searchedUnjudged(searching, actor), judge: judgeFor(searching.replay, actor) };
}

/** The same where nobody judges letters, and `replay:` is refused. */
export function searchedUnjudged(
  { clock, retentionMs, replay: { ledger }, sources: { book } }: Searching,
  { id }: Actor,
): Omit<Search, "q" | "judge"> {
  const now = clock.now();
  const owned = book.all().flatMap(({ name, owner }) => (owner === null ? [] : [[name, owner] as const]));
  return { now, retentionMs, attend: attendFor(ledger, id, now), owners: new Map(owned) };
}

function judgeFor(parts: ReplayParts, actor: Actor): Judge {
  return async (letters) => {
    const judged = await judgeAlone(parts, actor, letters);
    return new Map(judged.map(({ id, outlook }) => [hexOf(id), outlook]));
  };
}
