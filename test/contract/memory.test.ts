import { describe, it } from "vitest";
import { systemHost } from "../../src/system/host.ts";
import { transportContract } from "../../src/testing/transport-contract.ts";
import { type Troubles, troubledLink } from "../../src/testing/troubled-link.ts";
import { memoryCapabilities } from "../../src/transports/memory.ts";
import { memoryBroker } from "../../src/transports/memory-broker.ts";
import { memoryLink } from "../../src/transports/memory-link.ts";
import { pullTransport } from "../../src/transports/pull-transport.ts";
import type { Transport } from "../../src/transports/transport.ts";

for (const { how, atomic, holdsBack } of [
  { how: "in one step", atomic: true, holdsBack: true },
  { how: "sending onward first", atomic: false, holdsBack: true },
  { how: "delaying out of place", atomic: true, holdsBack: false },
]) {
  describe.concurrent(`transport: memory, ${how}`, () => {
    const contract = transportContract(memorySubject(atomic, holdsBack));
    for (const { title, exempt, run } of contract) it.skipIf(exempt)(title, run);
  });
}

function memorySubject(atomic: boolean, holdsBack: boolean) {
  const broker = memoryBroker();
  const troubles = new Map<Transport, Troubles>();
  const capabilities = memoryCapabilities(atomic, holdsBack);
  return {
    name: "memory",
    capabilities,
    shortLeaseMs: 1_500,
    async connect() {
      const troubled = troubledLink(memoryLink(broker, { atomic, holdsBack }));
      const transport = pullTransport(troubled.link, { broker: "memory", capabilities, host: systemHost, pollMs: 50 });
      troubles.set(transport, troubled.troubles);
      return transport;
    },
    async crash(transport: Transport) {
      troubles.get(transport)?.cut();
    },
    async failSendsTo(transport: Transport, queue: { readonly name: string }) {
      return troubles.get(transport)?.failSendsTo(queue) ?? (() => {});
    },
    async interrupt(transport: Transport) {
      return troubles.get(transport)?.cut() ?? (() => {});
    },
  };
}
