import { Consumer, type Message, Producer } from "@platformatic/kafka";
import { type BareClient, batchSize, gathering, inParts } from "./bare-client.ts";

export async function bareKafka(brokers: readonly string[]): Promise<BareClient> {
  const client = { clientId: "bench", bootstrapBrokers: [...brokers] };
  const producer = new Producer(client);
  return {
    async read(queue) {
      const fetching = { autocommit: false, maxBytesPerPartition: 1_048_576 };
      const consumer = new Consumer({ ...client, groupId: `bench-${queue}`, ...fetching });
      const start = { mode: "committed", fallbackMode: "earliest" } as const;
      const stream = await consumer.consume({ topics: [queue], ...start, ...fetching });
      const { push, next } = gathering<Message>();
      stream.on("data", push);
      return {
        async next() {
          const batch = await next();
          // The last of each partition: all before it are committed with it.
          const last = new Map(batch.map((message) => [message.partition, message]));
          const acknowledge = async () => {
            for (const message of last.values()) await message.commit();
          };
          return { count: batch.length, acknowledge };
        },
        close: () => consumer.close(true),
      };
    },
    async send(queue, messages) {
      for (const part of inParts(messages, batchSize)) {
        const ready = part.map(({ body, headers }) => ({ topic: queue, value: body, headers: bytesOf(headers) }));
        await producer.send({ messages: ready, acks: -1 });
      }
    },
    close: () => producer.close(),
  };
}

function bytesOf(headers: Readonly<Record<string, string>>): Map<Buffer, Buffer> {
  return new Map(Object.entries(headers).map(([name, value]) => [Buffer.from(name), Buffer.from(value)]));
}
