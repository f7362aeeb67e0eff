import { useEffect, useRef, useState } from "react";
import { keyMeant } from "../app/use-key-map.ts";

export interface SteadyRows<Row> {
  /** In the order they were shown first, with the figures of now; what is gone stays as it was last. */
  readonly rows: readonly SteadyRow<Row>[];
  /** Rows that came and are not shown yet. */
  readonly fresh: number;
  /** Rows that are shown and are not there any more. */
  readonly gone: number;
  /** Rows that would be in another place. */
  readonly moved: number;
  readonly apply: () => void;
}

export interface SteadyRow<Row> {
  readonly row: Row;
  readonly isGone: boolean;
}

/**
 * Rows that stay where they are while their figures change: what comes, goes or moves waits until it is asked for, by `u`
 * too. `list` says which list it is: another one is shown as it comes.
 */
export function useSteadyRows<Row extends { readonly id: string }>(
  latest: readonly Row[],
  list: string,
): SteadyRows<Row> {
  const [shown, setShown] = useState<{ readonly list: string; readonly ids: readonly string[] }>({ list, ids: [] });
  const seen = useRef(new Map<string, Row>());
  const ids = latest.map(({ id }) => id);
  const held = shown.list !== list || shown.ids.length === 0 ? ids : shown.ids;
  const apply = () => setShown({ list, ids });
  useEffect(() => {
    if ((shown.list !== list || shown.ids.length === 0) && ids.length > 0) setShown({ list, ids });
    const press = (event: KeyboardEvent) => {
      if (keyMeant(event) === "u") setShown({ list, ids });
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  for (const row of latest) seen.current.set(row.id, row);
  const now = new Set(ids);
  const rows = held.flatMap((id): readonly SteadyRow<Row>[] => {
    const row = seen.current.get(id);
    return row === undefined ? [] : [{ row, isGone: !now.has(id) }];
  });
  const there = new Set(held);
  const kept = ids.filter((id) => there.has(id));
  return {
    rows,
    fresh: ids.length - kept.length,
    gone: held.length - kept.length,
    moved: held.filter((id) => now.has(id)).filter((id, at) => kept[at] !== id).length,
    apply,
  };
}
