import { connect } from "amqplib";
import type { Requester, TransportSubject } from "../../src/testing/transport-contract/bench.ts";
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
    requesters: async () => [await exclusiveRequester(brokerUrl()), await directRequester(brokerUrl())],
    failSendsTo: (_transport, queue) => fullQueue(brokerUrl(), queue.name),
    ...(exempt && { exempt }),
  };
}

function cutOff(proxy: FaultProxy | undefined): void {
  proxy?.break({ accept: "reset" });
  proxy?.reset();
}

/** Waits at a queue that no other connection may touch. */
export async function exclusiveRequester(url: string, name = ""): Promise<Requester> {
  const model = await connect(url);
  const channel = await model.createChannel();
  const { queue } = await channel.assertQueue(name, { exclusive: true });
  const answers: string[] = [];
  await channel.consume(queue, (message) => message && answers.push(message.content.toString()), { noAck: true });
  return { address: { name: queue }, answers: () => answers, leave: () => model.close() };
}

/** Waits without a queue: RabbitMQ makes up the address, and tells it only to whom is asked. */
export async function directRequester(url: string): Promise<Requester> {
  const model = await connect(url);
  const channel = await model.createChannel();
  const answers: string[] = [];
  const replyTo = "amq.rabbitmq.reply-to";
  await channel.consume(replyTo, (message) => message && answers.push(message.content.toString()), { noAck: true });
  const { queue } = await channel.assertQueue("", { autoDelete: true });
  const asked = new Promise<string>((resolve) => {
    void channel.consume(queue, (request) => resolve(String(request?.properties.replyTo)), { noAck: true });
  });
  channel.sendToQueue(queue, Buffer.from("?"), { replyTo });
  return { address: { name: await asked }, answers: () => answers, leave: () => model.close() };
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
