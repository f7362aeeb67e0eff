import type { Clock } from "../domain/clock.ts";
import { answerWithin } from "./answering-link.ts";

export interface CoalesceOptions<Item, Result> {
  /** Does it for all of them at once; one result for each, in the same order. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Batches under way at a time. With one, things are done in the order they were asked for. */
  readonly atOnce: number;
  /**
   * How long a batch may take, in milliseconds: one that is never answered must not hold up all that come after it.
   * Null: every batch is answered.
   */
  readonly limitMs: number | null;
  readonly clock: Clock;
  /** Items in a batch, at most. */
  readonly maxItems: number;
  /** What an item weighs, and what the items of a batch may weigh together; a single one may weigh more. */
  readonly weight?: { readonly of: (item: Item) => number; readonly max: number };
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Turns many calls into few: what is asked for while the batches before it are under way goes with the next one. Nothing
 * waits for company: with a free place, what was asked for in this turn goes at once.
 */
export function coalesce<Item, Result>(options: CoalesceOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { clock, limitMs } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let scheduled = false;

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    running += 1;
    try {
      const asking = options.run(batch.map(({ item }) => item));
      const results = await (limitMs === null ? asking : answerWithin(asking, clock, limitMs));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    running -= 1;
    start();
  }

  function start(): void {
    while (waiting.length > 0 && running < options.atOnce) {
      const size = batchSize(waiting, options);
      const batch = waiting.slice(0, size);
      waiting = waiting.slice(size);
      void runBatch(batch);
    }
  }

  async function startSoon(): Promise<void> {
    if (scheduled) return;
    scheduled = true;
    // Calls made in one go are one batch, the first of them too.
    await Promise.resolve();
    scheduled = false;
    start();
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      void startSoon();
    });
}

function batchSize<Item, Result>(
  waiting: readonly Waiting<Item, Result>[],
  { maxItems, weight }: CoalesceOptions<Item, Result>,
): number {
  const most = Math.min(maxItems, waiting.length);
  if (weight === undefined) return most;
  let total = 0;
  for (const [index, { item }] of waiting.slice(0, most).entries()) {
    total += weight.of(item);
    if (total > weight.max && index > 0) return index;
  }
  return most;
}
