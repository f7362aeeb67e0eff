import type { Clock } from "../domain/clock.ts";
import { type Address, type Message, queueName } from "../domain/message.ts";
import { refuseUnknownNames } from "../domain/options.ts";
import { systemClock } from "../system/host.ts";
import { MemoryQueue } from "./memory-queue.ts";

/** What outlives consumers: the queues of the memory transport. Any number of transports may share one. */
export interface MemoryBroker {
  readonly clock: Clock;
  /** Names of the queues that were ever used. */
  queues(): readonly string[];
  /** All messages of a queue: ready, delayed or in a consumer's hands, in the order they were sent. */
  messages(queue: string): readonly Message[];
  depth(queue: string): number;
  send(to: Address, message: Message, delayMs?: number, how?: { readonly outOfPlace?: boolean }): void;
  queue(name: string): MemoryQueue;
}

export interface MemoryBrokerOptions {
  /** What due times and leases go by. @default the host's clock */
  readonly clock?: Clock;
}

export function memoryBroker(options: MemoryBrokerOptions = {}): MemoryBroker {
  refuseUnknownNames(Object.keys(options), ["clock"]);
  const { clock = systemClock } = options;
  const queues = new Map<string, MemoryQueue>();
  // Never starts again, whatever becomes of queues: a position names one message for the broker's whole life.
  let seq = 0;

  function queue(name: string): MemoryQueue {
    const known = queues.get(name);
    if (known !== undefined) return known;
    const made = new MemoryQueue(name, clock);
    queues.set(name, made);
    return made;
  }

  return {
    clock,
    queue,
    queues: () => [...queues.keys()],
    messages: (name) => queues.get(name)?.messages() ?? [],
    depth: (name) => queues.get(name)?.depth ?? 0,
    send(to, message, delayMs = 0, how = {}) {
      seq += 1;
      queue(queueName(to)).add(seq, message, delayMs, how);
    },
  };
}
