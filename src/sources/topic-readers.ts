import type { Address } from "../domain/message.ts";
import type { KafkaDriver, Position } from "../transports/kafka/driver.ts";

/** A queue of ours is a topic and its group, `orders.billing`: the longest beginning that is a topic is the topic. */
export async function addressOf(driver: KafkaDriver, queue: string): Promise<Address | null> {
  const names = [...queue.matchAll(/\./gu)].map(({ index }) => queue.slice(0, index));
  const topics = await driver.partitionCounts([...names, queue]);
  const name = [queue, ...names.reverse()].find((each) => topics.has(each));
  if (name === undefined) return null;
  return name === queue ? { name } : { name, group: queue.slice(name.length + 1) };
}

export async function endsOf(driver: KafkaDriver, topic: string): Promise<readonly Position[]> {
  const count = (await driver.partitionCounts([topic])).get(topic) ?? 0;
  const partitions = Array.from({ length: count }, (_, partition) => ({ topic, partition }));
  return Promise.all(partitions.map(async (at) => ({ ...at, offset: await driver.edgeOffset(at, "latest") })));
}

/** Groups that have ever committed anything there. */
export async function groupsReading(driver: KafkaDriver, ends: readonly Position[]): Promise<readonly string[]> {
  const reading: string[] = [];
  for (const group of await driver.groups()) {
    const session = driver.session(group);
    try {
      if ((await session.committed(ends)).length > 0) reading.push(group);
    } finally {
      await session.close();
    }
  }
  return reading;
}
