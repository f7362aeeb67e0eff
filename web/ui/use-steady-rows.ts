import { useEffect, useState } from "react";

export interface SteadyRows<Row> {
  readonly rows: readonly Row[];
  /** Rows that came, went or moved and are not shown yet. */
  readonly waiting: number;
  readonly apply: () => void;
}

/** Rows that stay where they are while their figures change; another order waits until it is asked for, by `u` too. */
export function useSteadyRows<Row extends { readonly id: string }>(latest: readonly Row[]): SteadyRows<Row> {
  const [order, setOrder] = useState<readonly string[]>([]);
  const ids = latest.map(({ id }) => id);
  const held = order.length === 0 ? ids : order;
  const apply = () => setOrder(ids);
  useEffect(() => {
    if (order.length === 0 && ids.length > 0) setOrder(ids);
    const press = (event: KeyboardEvent) => {
      if (event.key === "u" && !(event.target instanceof HTMLInputElement)) setOrder(ids);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  const known = new Map(latest.map((row) => [row.id, row]));
  const rows = held.flatMap((id) => known.get(id) ?? []);
  const waiting = ids.filter((id, at) => held[at] !== id).length + Math.max(0, held.length - ids.length);
  return { rows, waiting, apply };
}
