import { connect } from "amqplib";
import type { TransportSubject } from "../../src/testing/transport-contract/bench.ts";
import type { RabbitmqTransportOptions } from "../../src/transports/rabbitmq/options.ts";
import { rabbitmqCapabilities, rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { type FaultyProxy, startFaultyProxy } from "../servers/faulty-proxy.ts";

/** The transport through a wire that can be cut: that is what a death or a lost network looks like. */
export function rabbitmqSubject(
  name: string,
  brokerUrl: () => string,
  { exempt, ...options }: Partial<RabbitmqTransportOptions> & Pick<TransportSubject, "exempt">,
): TransportSubject {
  const proxies = new Map<Transport, FaultyProxy>();
  return {
    name,
    capabilities: rabbitmqCapabilities,
    async connect() {
      const url = new URL(brokerUrl());
      const proxy = await startFaultyProxy(Number(url.port || 5_672));
      url.host = `127.0.0.1:${proxy.port}`;
      const transport = rabbitmqTransport({ url: url.href, ...options });
      proxies.set(transport, proxy);
      return transport;
    },
    async crash(transport) {
      proxies.get(transport)?.cut();
    },
    async interrupt(transport) {
      const proxy = proxies.get(transport);
      proxy?.cut();
      return () => proxy?.mend();
    },
    failSendsTo: (_transport, queue) => fullQueue(brokerUrl(), queue.name),
    ...(exempt && { exempt }),
  };
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
