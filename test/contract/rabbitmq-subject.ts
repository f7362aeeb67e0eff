import { connect } from "amqplib";
import type { TransportSubject } from "../../src/testing/transport-contract/bench.ts";
import type { RabbitmqTransportOptions } from "../../src/transports/rabbitmq/options.ts";
import {
  hastyRabbitmqTransport,
  rabbitmqCapabilities,
  rabbitmqShortcomings,
} from "../../src/transports/rabbitmq/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { type FaultProxy, startFaultProxy } from "../faults/proxy.ts";

/** The transport through a wire that can be cut: that is what a death or a lost network looks like. */
export function rabbitmqSubject(
  name: string,
  brokerUrl: () => string,
  { exempt, ...options }: Partial<RabbitmqTransportOptions> & Pick<TransportSubject, "exempt">,
): TransportSubject {
  const proxies = new Map<Transport, FaultProxy>();
  return {
    name,
    capabilities: rabbitmqCapabilities,
    shortcomings: rabbitmqShortcomings,
    patienceMs: 30_000,
    async connect() {
      const url = brokerUrl();
      const proxy = await startFaultProxy({ port: Number(new URL(url).port || 5_672) });
      const transport = hastyRabbitmqTransport({ url: proxy.through(url), ...options });
      proxies.set(transport, proxy);
      return transport;
    },
    async crash(transport) {
      cutOff(proxies.get(transport));
    },
    async interrupt(transport) {
      const proxy = proxies.get(transport);
      cutOff(proxy);
      return () => proxy?.heal();
    },
    failSendsTo: (_transport, queue) => fullQueue(brokerUrl(), queue.name),
    ...(exempt && { exempt }),
  };
}

function cutOff(proxy: FaultProxy | undefined): void {
  proxy?.break({ accept: "reset" });
  proxy?.reset();
}

/** A queue with room for one message, and that taken, until the returned function is called. */
async function fullQueue(url: string, name: string): Promise<() => void> {
  const admin = await connect(url);
  // Some tests never mend it: the broker's end is then this connection's, and no failure.
  admin.on("error", () => {});
  const channel = await admin.createConfirmChannel();
  await channel.deleteQueue(name);
  await channel.assertQueue(name, { durable: true, maxLength: 1, overflow: "reject-publish" });
  channel.sendToQueue(name, Buffer.from("in the way"));
  await channel.waitForConfirms();
  let isMended = false;
  return () => {
    if (!isMended) void channel.get(name, { noAck: true }).then(() => admin.close());
    isMended = true;
  };
}
