import type { Host } from "../../src/domain/clock.ts";
import { systemHost } from "../../src/system/host.ts";
import type { TransportSubject } from "../../src/testing/transport-contract/bench.ts";
import { type Troubles, troubledLink } from "../../src/testing/troubled-link.ts";
import {
  asNats,
  natsCapabilities,
  natsLink,
  natsShortcomings,
  natsTransportDefaults,
} from "../../src/transports/nats/transport.ts";
import { pullTransport } from "../../src/transports/pull-transport.ts";
import type { Transport } from "../../src/transports/transport.ts";

const shortLeaseMs = 1_500;

/** The transport over a server, with a link that can be cut: that is what a death or a lost network looks like. */
export function natsSubject(
  name: string,
  url: () => string,
  part: Partial<TransportSubject> = {},
  host: Host = systemHost,
): TransportSubject {
  const troubles = new Map<Transport, Troubles>();
  return {
    name,
    capabilities: natsCapabilities,
    shortcomings: natsShortcomings,
    shortLeaseMs,
    async connect() {
      const settings = { ...natsTransportDefaults, host, pollMs: 50, ackWaitMs: shortLeaseMs };
      const troubled = troubledLink(natsLink(url(), settings));
      const transport = pullTransport(troubled.link, { ...asNats, pollMs: 50 });
      troubles.set(transport, troubled.troubles);
      return transport;
    },
    async crash(transport) {
      troubles.get(transport)?.cut();
    },
    failSendsTo: async (transport, queue) => troubles.get(transport)?.failSendsTo(queue) ?? (() => {}),
    interrupt: async (transport) => troubles.get(transport)?.cut() ?? (() => {}),
    ...part,
  };
}
