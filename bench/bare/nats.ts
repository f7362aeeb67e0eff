import { type JsMsg, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, headers as makeHeaders } from "@nats-io/transport-node";
import { type BareClient, batchSize, gathering, inParts } from "./bare-client.ts";

export async function bareNats(url: string): Promise<BareClient> {
  const client = await connect({ servers: url });
  const stream = jetstream(client);
  const send: BareClient["send"] = async (queue, messages) => {
    for (const part of inParts(messages, batchSize)) {
      await Promise.all(part.map(({ body, headers }) => stream.publish(queue, body, { headers: headersOf(headers) })));
    }
  };
  return {
    // Of the transport's own stream it would need to know the names.
    async fill(queue, messages) {
      const manager = await jetstreamManager(client);
      await manager.streams.add({ name: queue.replaceAll(".", "_"), subjects: [queue] });
      await send(queue, messages);
    },
    send,
    async read(queue) {
      const manager = await jetstreamManager(client);
      const name = await manager.streams.find(queue);
      const limits = { max_ack_pending: -1, ack_wait: 60e9 };
      await manager.consumers.add(name, { durable_name: "bench", ack_policy: "explicit", ...limits });
      const consumer = await stream.consumers.get(name, "bench");
      const incoming = await consumer.consume({ max_messages: batchSize * 4 });
      const { push, next } = gathering<JsMsg>();
      const reading = (async () => {
        for await (const message of incoming) push(message);
      })();
      return {
        async next() {
          const batch = await next();
          const acknowledge = async () => {
            for (const message of batch) message.ack();
          };
          return { count: batch.length, acknowledge };
        },
        async close() {
          await incoming.close();
          await reading;
        },
      };
    },
    close: () => client.close(),
  };
}

function headersOf(all: Readonly<Record<string, string>>) {
  const made = makeHeaders();
  for (const [name, value] of Object.entries(all)) made.set(name, value);
  return made;
}
