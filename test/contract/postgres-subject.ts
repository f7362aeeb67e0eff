import type { Database } from "../../src/domain/database.ts";
import { systemHost } from "../../src/system/host.ts";
import type { TransportSubject } from "../../src/testing/transport-contract/bench.ts";
import { type Troubles, troubledLink } from "../../src/testing/troubled-link.ts";
import { PostgresLink } from "../../src/transports/postgres/link.ts";
import { postgresCapabilities, postgresTransportDefaults } from "../../src/transports/postgres/transport.ts";
import { pullTransport } from "../../src/transports/pull-transport.ts";
import type { Transport } from "../../src/transports/transport.ts";

/** The transport over a database, with a link that can be cut: that is what a death or a lost network looks like. */
export function postgresSubject(
  name: string,
  database: () => Database,
  part: Partial<TransportSubject> = {},
): TransportSubject {
  const troubles = new Map<Transport, Troubles>();
  const { schema, maxMessageBytes } = postgresTransportDefaults;
  return {
    name,
    capabilities: postgresCapabilities,
    shortLeaseMs: 1_500,
    async connect() {
      const { clock } = systemHost;
      const answerWithinMs = database().serial ? null : 10_000;
      const link = new PostgresLink({ database: database(), schema, clock, answerWithinMs, maxMessageBytes });
      const troubled = troubledLink(link);
      const options = { broker: "postgres", capabilities: postgresCapabilities, pollMs: 50, answerWithinMs };
      const transport = pullTransport(troubled.link, options);
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
