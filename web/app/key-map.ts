/** Single keys: the one each has by itself, and what it is for. Another may be chosen in its place, or none. */
export const singleKeys = [
  ["j", "next row"],
  ["k", "previous row"],
  ["x", "select the row"],
  ["X", "select as far as the row"],
  ["J", "select on to the next row"],
  ["K", "select on to the previous row"],
  ["*", "select, with the key after it"],
  ["u", "show what came meanwhile"],
  ["L", "pause, and go on"],
  ["/", "search letters"],
  ["r", "to the plan of a group or selection"],
  ["d", "to what may be decided instead"],
  ["c", "say what a group or selection is"],
  ["e", "acknowledge a group"],
  ["h", "snooze a group"],
  ["a", "assign a group"],
  ["n", "add a note"],
  [".", "all that may be done with a row of the inbox"],
  ["Z", "take back what was just done"],
  ["[", "previous group of the inbox"],
  ["]", "next group of the inbox"],
  ["y", "copy the link to this page, with relative times made absolute"],
  ["Y", "copy what to type in a terminal"],
  ["z", "times in UTC, and back in your zone"],
  ["g", "go to a page, with the key after it"],
  ["?", "show these keys"],
] as const;

export type SingleKey = (typeof singleKeys)[number][0];

/** What somebody made of single keys. */
export interface KeyMap {
  /** None of them does anything. */
  readonly isOff: boolean;
  /** Which key was chosen in the place of which; empty: none is. */
  readonly chosen: Partial<Readonly<Record<SingleKey, string>>>;
}

export const plainKeys: KeyMap = { isOff: false, chosen: {} };

/** The key that is pressed for what this one is by itself; null: none is. */
export function keyFor(map: KeyMap, own: SingleKey): string | null {
  if (map.isOff) return null;
  return (map.chosen[own] ?? own) || null;
}

/** Of the key that was pressed: what it is by itself; null: it means nothing. */
export function meaningOf(map: KeyMap, pressed: string): SingleKey | null {
  return singleKeys.find(([own]) => keyFor(map, own) === pressed)?.[0] ?? null;
}

/** With another key in the place of one; or why not. */
export function withKey(map: KeyMap, own: SingleKey, key: string): KeyMap | { readonly refused: string } {
  if ([...key].length > 1 || /\s/u.test(key)) return { refused: "One key alone: a letter, a digit or a sign." };
  const other = singleKeys.find(([each]) => each !== own && (map.chosen[each] ?? each) === key);
  if (key !== "" && other !== undefined) return { refused: `${key} is taken: ${other[1]}.` };
  const { [own]: _former, ...rest } = map.chosen;
  return { ...map, chosen: key === own ? rest : { ...rest, [own]: key } };
}

/** As it was kept; what cannot be read is as if nothing were. */
export function readKeyMap(kept: string | null): KeyMap {
  try {
    const { isOff = false, chosen = {} } = JSON.parse(kept ?? "{}") as Partial<KeyMap>;
    const known = singleKeys.flatMap(([own]) => (typeof chosen[own] === "string" ? [[own, chosen[own]]] : []));
    return { isOff: isOff === true, chosen: Object.fromEntries(known) as KeyMap["chosen"] };
  } catch {
    return plainKeys;
  }
}
