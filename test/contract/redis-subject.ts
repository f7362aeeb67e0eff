import type { Host } from "../../src/domain/clock.ts";
import { systemHost } from "../../src/system/host.ts";
import type { TransportSubject } from "../../src/testing/transport-contract/bench.ts";
import { type Troubles, troubledLink } from "../../src/testing/troubled-link.ts";
import { pullTransport } from "../../src/transports/pull-transport.ts";
import {
  asRedis,
  redisCapabilities,
  redisLink,
  redisShortcomings,
  redisTransportDefaults,
} from "../../src/transports/redis/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";

/** The transport over a server, with a link that can be cut: that is what a death or a lost network looks like. */
export function redisSubject(
  name: string,
  url: () => string,
  part: Partial<TransportSubject> = {},
  host: Host = systemHost,
): TransportSubject {
  const troubles = new Map<Transport, Troubles>();
  return {
    name,
    capabilities: redisCapabilities,
    shortcomings: redisShortcomings,
    shortLeaseMs: 1_500,
    async connect() {
      const troubled = troubledLink(redisLink(url(), { ...redisTransportDefaults, host }));
      const transport = pullTransport(troubled.link, { ...asRedis, pollMs: 50 });
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
