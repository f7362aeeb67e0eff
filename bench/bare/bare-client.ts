/** What a program of a few lines does with a broker's own client, as fast as it can without losing anything. */
export interface BareClient {
  /** Puts dead letters where `take` finds them. @default our own transport does, into the queue */
  fill?(queue: string, messages: readonly BareMessage[]): Promise<void>;
  /** Begins to read a queue. */
  read(queue: string): Promise<BareReader>;
  /** Resolves when the broker has said yes to each. */
  send(queue: string, messages: readonly BareMessage[]): Promise<void>;
  close(): Promise<unknown>;
}

export interface BareMessage {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface BareReader {
  /** The next of them; how many at a time is up to the client, `batchSize` at most. */
  next(): Promise<BareBatch>;
  close(): Promise<unknown>;
}

export interface BareBatch {
  readonly count: number;
  acknowledge(): Promise<unknown>;
}

/** As many as a drain commits at a time. */
export const batchSize = 500;

/** What a client hands over one by one, by the batch. Batches have all messages there are, so none is ever left over. */
export function gathering<Item>(): { readonly push: (item: Item) => void; readonly next: () => Promise<Item[]> } {
  let waiting: Item[] = [];
  let wake: () => void = () => {};
  return {
    push(item) {
      waiting.push(item);
      if (waiting.length >= batchSize) wake();
    },
    async next() {
      while (waiting.length < batchSize) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const batch = waiting.slice(0, batchSize);
      waiting = waiting.slice(batchSize);
      return batch;
    },
  };
}

/** The messages in parts of that size. */
export function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}
