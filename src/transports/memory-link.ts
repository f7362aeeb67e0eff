import { pause } from "../domain/clock.ts";
import { queueName } from "../domain/message.ts";
import type { MemoryBroker } from "./memory-broker.ts";
import type { MemoryReceipt } from "./memory-queue.ts";
import type { PullLink } from "./pull-link.ts";

export interface MemoryLinkOptions {
  /** Sends onward and deletes in one step. False leaves `move` out, as a broker does that cannot. @default true */
  readonly atomic?: boolean;
  /** What waits for a retry keeps its place in its key. False behaves as a broker does whose delays are elsewhere. @default true */
  readonly holdsBack?: boolean;
}

/** Nothing here waits for a socket, so a long queue would be worked off without ever letting timers and sockets in. */
const longestTurnMs = 10;

/** One connection to a memory broker. */
export function memoryLink(
  broker: MemoryBroker,
  { atomic = true, holdsBack = true }: MemoryLinkOptions = {},
): PullLink<MemoryReceipt> {
  const { clock } = broker;
  const how = { outOfPlace: !holdsBack };
  let busySince: number | null = null;

  async function letOthersRun(): Promise<void> {
    if (busySince === null || clock.now() - busySince < longestTurnMs) return;
    await pause(clock, 0);
    busySince = clock.now();
  }

  const link: PullLink<MemoryReceipt> = {
    async send(to, message, delayMs) {
      // A sender may use its buffer again; what a broker took over does not change any more.
      broker.send(to, { ...message, body: new Uint8Array(message.body) }, delayMs, how);
    },
    async take(from, max, options) {
      if (busySince !== null) await letOthersRun();
      const taken = broker.queue(queueName(from)).take(max, options);
      busySince = taken.length === 0 ? null : (busySince ?? clock.now());
      return taken;
    },
    async acknowledge(receipts) {
      for (const receipt of receipts) broker.queue(receipt.queue).remove(receipt);
    },
    replace: async (receipt, message, delayMs) => broker.queue(receipt.queue).replace(receipt, message, delayMs, how),
    async giveBack(receipts) {
      // Backwards, each to the front: they stand again in the order they were taken.
      for (const receipt of receipts.toReversed()) broker.queue(receipt.queue).giveBack(receipt);
    },
    charge: async (receipt, headers) => broker.queue(receipt.queue).charge(receipt, headers),
    extend: async (receipt, ms) => broker.queue(receipt.queue).extend(receipt, ms),
    depth: async (of) => broker.depth(queueName(of)),
    watch: async (from, wake) => broker.queue(queueName(from)).watch(wake),
    close: async () => {},
  };
  if (!atomic) return link;
  return {
    ...link,
    async move(receipt, to, message) {
      const removed = broker.queue(receipt.queue).remove(receipt);
      if (removed) broker.send(to, message);
      return removed;
    },
  };
}
