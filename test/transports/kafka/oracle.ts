import { type Admin, Kafka, type KafkaMessage, logLevel, type Producer } from "kafkajs";
import type { Address } from "../../../src/domain/message.ts";
import { eventually } from "../../../src/testing/eventually.ts";

/** Another client of Kafka, whose word is taken for it. */
function oracle(brokers: readonly string[]): Kafka {
  return new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING });
}

export async function withAdmin<Answer>(
  brokers: readonly string[],
  use: (admin: Admin) => Promise<Answer>,
): Promise<Answer> {
  const admin = oracle(brokers).admin();
  await admin.connect();
  try {
    return await use(admin);
  } finally {
    await admin.disconnect();
  }
}

/** Makes a topic, and waits until the broker knows of it: it says so before that. */
export async function makeTopic(
  brokers: readonly string[],
  topic: string,
  {
    partitions = 1,
    configuration = {},
  }: { partitions?: number; configuration?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  const configEntries = Object.entries(configuration).map(([name, value]) => ({ name, value }));
  await withAdmin(brokers, async (admin) => {
    await admin.createTopics({ waitForLeaders: false, topics: [{ topic, numPartitions: partitions, configEntries }] });
    await eventually(() => admin.fetchTopicMetadata({ topics: [topic] }), { withinMs: 120_000 });
  });
}

export async function withProducer(
  brokers: readonly string[],
  options: { readonly transactionalId?: string },
  use: (producer: Producer) => Promise<void>,
): Promise<void> {
  const idempotent = { idempotent: true, maxInFlightRequests: 1 };
  const producer = oracle(brokers).producer({ ...options, ...(options.transactionalId && idempotent) });
  await producer.connect();
  try {
    await use(producer);
  } finally {
    await producer.disconnect();
  }
}

/** Every record of a topic of one partition that counts, up to the one of this value, as the other client reads them. */
export async function readUpTo(brokers: readonly string[], topic: string, last: string): Promise<KafkaMessage[]> {
  const records: KafkaMessage[] = [];
  const consumer = oracle(brokers).consumer({ groupId: `oracle-${crypto.randomUUID()}` });
  await consumer.connect();
  try {
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({ autoCommit: false, eachMessage: async ({ message }) => void records.push(message) });
    await eventually(() => records.at(-1)?.value?.toString() === last, { withinMs: 120_000 });
  } finally {
    await consumer.disconnect();
  }
  return records;
}

/** Another client's member of a group, which commits all that it has read before it leaves. */
export async function joinGroup(brokers: readonly string[], { name, group }: Required<Address>) {
  const values: string[] = [];
  const consumer = oracle(brokers).consumer({ groupId: group });
  await consumer.connect();
  await consumer.subscribe({ topic: name, fromBeginning: true });
  await consumer.run({ eachMessage: async ({ message }) => void values.push(message.value?.toString() ?? "") });
  return { values, leave: () => consumer.disconnect() };
}
