import type { Host } from "../domain/clock.ts";
import { refuseUnknownNames } from "../domain/options.ts";
import { systemHost } from "../system/host.ts";
import { type MemoryBroker, memoryBroker } from "./memory-broker.ts";
import { memoryLink } from "./memory-link.ts";
import { ordinaryReplies } from "./ordinary-replies.ts";
import { pullTransport } from "./pull-transport.ts";
import type { Capabilities, Transport } from "./transport.ts";

export interface MemoryTransportOptions {
  /** Holds the messages. Transports that share one work on the same queues. @default one of its own */
  readonly broker?: MemoryBroker;
  /** Sends onward and acknowledges in one step; false behaves as a broker does that cannot. @default true */
  readonly atomic?: boolean;
  /** What waits for a retry keeps its place in its key; false behaves as a broker does whose delays are elsewhere. @default true */
  readonly holdsBack?: boolean;
  /** Clock, dice and ids. @default the host's, with the clock of `broker` */
  readonly host?: Host;
}

/** A broker inside this process: for tests, for trying out, for work that may be lost with the process. */
export function memoryTransport(options: MemoryTransportOptions = {}): Transport {
  refuseUnknownNames(Object.keys(options), ["broker", "atomic", "holdsBack", "host"]);
  const { host, atomic = true, holdsBack = true, broker = memoryBroker(host && { clock: host.clock }) } = options;
  return pullTransport(memoryLink(broker, { atomic, holdsBack }), {
    broker: "memory",
    capabilities: memoryCapabilities(atomic, holdsBack),
    shortcomings: ordinaryReplies,
    // Its link calls when something is due, and always answers.
    pollMs: 60_000,
    answerWithinMs: null,
    host: host ?? { ...systemHost, clock: broker.clock },
  });
}

export function memoryCapabilities(atomic: boolean, holdsBack = true): Capabilities {
  return {
    atomicOnward: atomic,
    order: true,
    holdsBack,
    deliveryCount: true,
    lease: true,
    typedHeaders: true,
    repeatedHeaders: true,
    replyAddresses: false,
  };
}
