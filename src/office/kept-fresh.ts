import type { Clock } from "../domain/clock.ts";

/** How long a process may go on with what it knows before it asks whether there is another version, in milliseconds. */
const freshMs = 1_000;

export interface Versioned<Value> {
  /** The latest version; asked for often, so it must be cheap. */
  readonly latest: () => Promise<number>;
  readonly read: (version: number) => Promise<Value>;
}

/** Gives the latest version of something without asking the ledger for each letter: a new one is known within a second. */
export function keptFresh<Value>(clock: Clock, { latest, read }: Versioned<Value>): () => Promise<Value> {
  let kept: Promise<{ readonly version: number; readonly value: Value }> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  const look = async (before: typeof kept) => {
    const version = await latest();
    const known = await before?.catch(() => undefined);
    return known?.version === version ? known : { version, value: await read(version) };
  };
  return async () => {
    const now = clock.now();
    if (kept === undefined || now - askedAt >= freshMs) {
      askedAt = now;
      kept = look(kept);
    }
    return (await kept).value;
  };
}
