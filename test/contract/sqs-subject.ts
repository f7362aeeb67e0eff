import type { TransportSubject } from "../../src/testing/transport-contract/bench.ts";
import { type Troubles, troubledLink } from "../../src/testing/troubled-link.ts";
import { pullTransport } from "../../src/transports/pull-transport.ts";
import { asSqs, sqsLink, sqsTransportDefaults } from "../../src/transports/sqs/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { sqsCredentials } from "../servers/elasticmq.ts";

const tooLarge = "SQS takes 1 MiB at most, attributes included, and bytes that are no text as base64";
const nothingAhead = "a FIFO queue counts every receive, so no more is taken than handlers are free";

/** The transport over a server, with a link that can be cut: that is what a death or a lost network looks like. */
export function sqsSubject(endpoint: () => string, { fifo }: { readonly fifo: boolean }): TransportSubject {
  const troubles = new Map<Transport, Troubles>();
  const settings = () => ({
    ...sqsTransportDefaults,
    ...{ endpoint: endpoint(), credentials: sqsCredentials, fifo, waitMs: 1_000 },
  });
  const { capabilities, shortcomings } = asSqs({ ...sqsTransportDefaults, fifo });
  return {
    name: fifo ? "sqs, fifo" : "sqs",
    capabilities,
    shortcomings,
    // SQS counts in seconds.
    shortLeaseMs: 2_000,
    exempt: {
      "delivers a body of 1 MB": tooLarge,
      ...(fifo && { "takes no more than prefetch messages that are not settled": nothingAhead }),
    },
    async connect() {
      const troubled = troubledLink(sqsLink(settings()));
      const transport = pullTransport(troubled.link, asSqs(settings()));
      troubles.set(transport, troubled.troubles);
      return transport;
    },
    async crash(transport) {
      troubles.get(transport)?.cut();
    },
    failSendsTo: async (transport, queue) => troubles.get(transport)?.failSendsTo(queue) ?? (() => {}),
    interrupt: async (transport) => troubles.get(transport)?.cut() ?? (() => {}),
  };
}
