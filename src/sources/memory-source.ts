import { queueNames } from "../domain/wire.ts";
import type { BlockedKeysAdmin } from "../stores/blocked-keys.ts";
import type { MemoryBroker } from "../transports/memory-broker.ts";
import type { Transport } from "../transports/transport.ts";
import type { OpenedSource } from "./opened-source.ts";
import { plainLine } from "./send-line.ts";

/** A broker inside this process, for demonstrations: there is no address by which a configuration could name it. */
export function memorySource(transport: Transport, broker: MemoryBroker, blockedKeys?: BlockedKeysAdmin): OpenedSource {
  return {
    transport,
    group: null,
    addressOf: async (queue) => ({ name: queue }),
    line: () => plainLine((name, message) => transport.send({ name }, message, { onward: true })),
    look: async (queue) => ({
      ...{ address: { name: queue }, keepsNextDeath: true, keepsOrder: "by_key", otherGroups: [] },
      lag: broker.depth(queue),
    }),
    countBeside: async (queue) => broker.depth(queueNames.parked(queue)),
    // What it held is gone for certain only when nothing is left: a message that is retried is another one.
    watch: async (queue) => async () => broker.depth(queue) === 0,
    ...(blockedKeys === undefined ? {} : { blockedKeys }),
    close: () => transport.close(),
  };
}
