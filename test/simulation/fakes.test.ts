import { describe, it } from "vitest";
import type { Address } from "../../src/domain/message.ts";
import { memoryBlockedKeys } from "../../src/stores/memory-blocked-keys.ts";
import { memoryInbox } from "../../src/stores/memory-inbox.ts";
import { memorySharedState } from "../../src/stores/memory-shared-state.ts";
import { blockedKeysContract } from "../../src/testing/blocked-keys-contract.ts";
import { inboxContract } from "../../src/testing/inbox-contract.ts";
import { sharedStateContract } from "../../src/testing/shared-state-contract.ts";
import { transportContract } from "../../src/testing/transport-contract.ts";
import { type Troubles, troubledLink } from "../../src/testing/troubled-link.ts";
import { memoryCapabilities } from "../../src/transports/memory.ts";
import { memoryBroker } from "../../src/transports/memory-broker.ts";
import { memoryLink } from "../../src/transports/memory-link.ts";
import type { MemoryReceipt } from "../../src/transports/memory-queue.ts";
import { pullTransport } from "../../src/transports/pull-transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { faultyBlockedKeys } from "./faulty-blocked-keys.ts";
import { faultyInbox } from "./faulty-inbox.ts";
import { faultyLink } from "./faulty-link.ts";
import { faultySharedState } from "./faulty-shared-state.ts";
import { HandOvers } from "./hand-overs.ts";
import { createNetwork } from "./network.ts";
import { realTimeWorld } from "./real-time-world.ts";
import { SimulatedProcess } from "./simulated-process.ts";

/** A fake that lies proves nothing. With their faults switched off they keep every promise of what they stand for. */
for (const atomic of [true, false]) {
  for (const holdsBack of [true, false]) {
    const how = `${atomic ? "in one step" : "sending onward first"}, ${holdsBack ? "holding back" : "delaying elsewhere"}`;
    describe.concurrent(`the faulty link without faults, ${how}`, () => {
      const contract = transportContract(linkSubject(atomic, holdsBack));
      for (const { title, exempt, run } of contract) it.skipIf(exempt)(title, run);
    });
  }
}

describe.concurrent("the faulty inbox without faults", () => {
  const contract = inboxContract({
    transactional: true,
    async open() {
      const committed: string[] = [];
      const inner = memoryInbox<string[]>({
        transactions: { begin: () => [], commit: (lines) => void committed.push(...lines), rollback: () => {} },
      });
      const { network, process } = quietSetting();
      return {
        inbox: faultyInbox(inner, network, process),
        write: async (tx, line) => tx.write(line),
        lines: async () => committed,
        close: async () => {},
      };
    },
  });
  for (const { title, exempt, run } of contract) it.skipIf(exempt)(title, run);
});

describe.concurrent("the faulty shared state without faults", () => {
  const contract = sharedStateContract({
    async open() {
      const { network, process } = quietSetting();
      return { state: faultySharedState(memorySharedState(), network, process), close: async () => {} };
    },
  });
  for (const { title, exempt, run } of contract) it.skipIf(exempt)(title, run);
});

describe.concurrent("the faulty store of blocked keys without faults", () => {
  const contract = blockedKeysContract({
    async open() {
      const { network, process } = quietSetting();
      const inner = memoryBlockedKeys();
      return { store: faultyBlockedKeys({ inner, network, process, charged: () => {} }), close: async () => {} };
    },
  });
  for (const { title, exempt, run } of contract) it.skipIf(exempt)(title, run);
});

function linkSubject(atomic: boolean, holdsBack: boolean) {
  const { world, network } = quietSetting();
  const broker = memoryBroker();
  const handOvers = new HandOvers<MemoryReceipt>({ clock: world.clock, quietSince: () => Infinity, accuse: () => {} });
  const capabilities = memoryCapabilities(atomic, holdsBack);
  const troubles = new Map<Transport, Troubles>();
  return {
    name: "faulty memory",
    capabilities,
    shortLeaseMs: 1_500,
    async connect() {
      const process = new SimulatedProcess(world, { name: `process ${troubles.size + 1}`, skewMs: 0 });
      const quiet = { leaseCutShort: 0, hasPositions: true, isFull: () => false, stored: () => {}, accuse: () => {} };
      const inner = memoryLink(broker, { atomic, holdsBack });
      const troubled = troubledLink(faultyLink({ inner, network, process, handOvers, dice: world.dice, ...quiet }));
      const { host } = process;
      const transport = pullTransport(troubled.link, { broker: "memory", capabilities, host, pollMs: 50 });
      troubles.set(transport, troubled.troubles);
      return transport;
    },
    async crash(transport: Transport) {
      troubles.get(transport)?.cut();
    },
    async failSendsTo(transport: Transport, queue: Address) {
      return troubles.get(transport)?.failSendsTo(queue) ?? (() => {});
    },
    async interrupt(transport: Transport) {
      return troubles.get(transport)?.cut() ?? (() => {});
    },
  };
}

function quietSetting() {
  const world = realTimeWorld();
  const never = {
    perCall: 0,
    weights: { refused: 0, "reply-lost": 0, lost: 0, hung: 0, late: 0, slow: 0 },
    longestMs: 0,
  };
  const network = createNetwork(world, { broker: never, inbox: never, state: never, keys: never });
  network.calmDown();
  return { world, network, process: new SimulatedProcess(world, { name: "test", skewMs: 0 }) };
}
