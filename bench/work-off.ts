import { type Address, done } from "../src/domain/message.ts";
import { createConsumer } from "../src/runtime/consumer.ts";
import type { Transport } from "../src/transports/transport.ts";
import { stopwatch } from "./stopwatch.ts";
import type { Sample } from "./suite.ts";

/** Works off a queue; `handled` is to be called for each message. Returns what ends it. */
export type Consume = (queue: string, handled: () => void) => Promise<() => Promise<unknown>>;

/** Messages a second, from the first that was handled to the last. */
export async function workOff(consume: Consume, queue: string, messages: number): Promise<Sample> {
  let count = 0;
  let elapsed = stopwatch();
  let over: () => void = () => {};
  const lastHandled = new Promise<void>((resolve) => {
    over = resolve;
  });
  const stop = await consume(queue, () => {
    count += 1;
    if (count === 1) elapsed = stopwatch();
    if (count === messages) over();
  });
  await lastHandled;
  const measured = elapsed(messages);
  await stop();
  return measured;
}

/** What every contestant awaits for each message. */
export async function handle(handled: () => void): Promise<void> {
  handled();
}

/** Where our own contestants read, and how much they have in hand. */
interface Ours {
  readonly open: () => Transport;
  readonly prefetch: number;
  /** @default the queue's name alone */
  readonly address?: (name: string) => Address;
}

const byName = (name: string): Address => ({ name });

export function transportAlone({ open, prefetch, address = byName }: Ours): Consume {
  return async (name, handled) => {
    const transport = open();
    const stop = new AbortController();
    const handleAll = async () => {
      await handle(handled);
      return done;
    };
    const consumed = transport.consume(address(name), handleAll, {
      ...{ concurrency: prefetch, prefetch, order: "none", leaseMs: 60_000, returnDelayMs: 5_000 },
      signal: stop.signal,
    });
    return async () => {
      stop.abort();
      await consumed;
      await transport.close();
    };
  };
}

export function wholeRuntime({ open, prefetch, address = byName }: Ours): Consume {
  return async (name, handled) => {
    const transport = open();
    const load = { concurrency: prefetch, prefetch, decode: "bytes" } as const;
    const consumer = createConsumer({
      ...{ transport, queue: address(name), ...load },
      handler: () => handle(handled),
    });
    void consumer.start();
    return async () => {
      await consumer.stop();
      await transport.close();
    };
  };
}
