import type { Term } from "../../domain/query/query.ts";
import { queryProblem } from "../../domain/query/query-problem.ts";
import type { Masking } from "../../domain/redaction.ts";
import type { GroupNames } from "./group-names.ts";
import type { KnownNames } from "./known-names.ts";
import type { MarkedGroups } from "./marked-groups.ts";
import type { Parameters } from "./parameters.ts";

/** Who owns sources, by their names; those that nobody owns are not in it. */
export type SourceOwners = ReadonlyMap<string, string>;

export interface CompileContext {
  /** The schema, as it stands in a statement. */
  readonly at: string;
  readonly parameters: Parameters;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How long letters are kept, in milliseconds. */
  readonly retentionMs: number;
  /** What no list shows, and no search may find out. */
  readonly masking: Masking;
  /** The whole search, to point at where it cannot be done. */
  readonly text: string;
  /** Which groups are others by now. */
  readonly names: GroupNames;
  /** Names that are told apart from the search. */
  readonly known: KnownNames;
  /** What people said of groups, as far as it is asked for. */
  readonly marked: MarkedGroups;
  /** Who owns each source, by its name; null where nobody said. */
  readonly owners: SourceOwners | null;
  /** Letters by what `replay:` calls them, as UUIDs; null where nobody was asked. */
  readonly judged: ReadonlyMap<string, readonly string[]> | null;
  /** Groups by what holds of them for whoever asks, as UUIDs; null where nobody was asked, or nothing of it is wanted. */
  readonly attended: ReadonlyMap<string, readonly string[]> | null;
  /** Whether a queue, a group or a time narrows it down, so that slow looks are bounded. */
  readonly isBounded: boolean;
}

/** For what only makes sense in a part of the ledger. */
export function requireBound(
  { at, length }: Pick<Term, "at" | "length">,
  { text, isBounded: bounded }: CompileContext,
  what: string,
): void {
  if (bounded) return;
  throw queryProblem({
    text,
    at,
    length,
    message: `${what} looks at letters one by one.`,
    hint: "Say which: add a queue:, a group: or an arrived: to the search.",
  });
}
