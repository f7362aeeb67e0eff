import { hexOf } from "../domain/ids.ts";
import type { NewLetter } from "./new-letter.ts";
import { sha256Of } from "./sha256.ts";

/** A letter with the group it belongs to. */
export interface PlacedLetter {
  readonly letter: NewLetter;
  readonly groupId: Uint8Array;
  readonly groupingVersion: number;
  /** Of its stack, which is stored apart; null where it has none. */
  readonly stackId: Uint8Array | null;
  /** How-manieth classification this is of the letter; 1 is the one on arrival. */
  readonly nth: number;
  /** A letter that a replay had sent, of which it may be a return; null where nothing speaks for that. */
  readonly maybeReturnOf: Uint8Array | null;
}

/**
 * Gives letters their groups and stacks. Those of one batch that share one have the same object for its id: hashing it, and
 * looking whether it is new, is done once for all of them.
 */
export function placeLetters(
  letters: readonly NewLetter[],
  maybes: ReadonlyMap<NewLetter, Uint8Array> = new Map(),
): readonly PlacedLetter[] {
  const idOf = sharedIds();
  return letters.map((letter) => ({
    letter,
    groupId: letter.placement === null ? idOf(groupName(letter)) : idOf.same(letter.placement.groupId),
    groupingVersion: letter.placement?.version ?? 0,
    stackId: letter.error.stack === null ? null : idOf(letter.error.stack),
    nth: 1,
    maybeReturnOf: maybes.get(letter) ?? null,
  }));
}

/** A group is a queue and a fingerprint, and its id follows from them: nobody has to look it up. */
function groupName({ source, queue, fingerprint }: GroupName): string {
  return JSON.stringify([source, queue, fingerprint.id]);
}

interface GroupName {
  readonly source: string;
  readonly queue: string;
  readonly fingerprint: Pick<NewLetter["fingerprint"], "id">;
}

export function groupIdOf(name: GroupName): Uint8Array {
  return idNamed(groupName(name));
}

function idNamed(text: string): Uint8Array {
  return sha256Of(text).subarray(0, 16);
}

interface SharedIds {
  (text: string): Uint8Array;
  /** The one of these bytes. */
  same(id: Uint8Array): Uint8Array;
}

function sharedIds(): SharedIds {
  const known = new Map<string, Uint8Array>();
  const ids = new Map<string, Uint8Array>();
  const same = (id: Uint8Array) => {
    const bytes = hexOf(id);
    const shared = ids.get(bytes) ?? id;
    ids.set(bytes, shared);
    return shared;
  };
  const idOf = (text: string) => {
    const id = known.get(text) ?? same(idNamed(text));
    known.set(text, id);
    return id;
  };
  return Object.assign(idOf, { same });
}
