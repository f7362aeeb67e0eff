import { onTestFinished } from "vitest";
import { systemHost } from "../../src/system/host.ts";
import { PlatformaticDriver } from "../../src/transports/kafka/platformatic/driver.ts";

export interface MadeTopics {
  readonly topic: string;
  readonly deadLetters: string;
}

export const keptForEver = { "retention.ms": "-1" };

/** A new topic and its dead-letter topic, which has these settings and this many letters. */
export async function makeTopics(
  brokers: readonly string[],
  configuration: Readonly<Record<string, string>>,
  letters = 0,
): Promise<MadeTopics> {
  const topic = `orders-${crypto.randomUUID()}`;
  const deadLetters = `${topic}.billing.dlq`;
  const driver = driverFor(brokers);
  await driver.makeTopics([
    { name: topic, partitions: 1, replicas: 1, configuration: keptForEver },
    { name: deadLetters, partitions: 2, replicas: 1, configuration },
  ]);
  for (let sent = 0; sent < letters; sent++) {
    const record = { key: Buffer.from("k"), value: Buffer.from("letter"), headers: [] };
    await driver.produce({ topic: deadLetters, partition: sent % 2 }, record);
  }
  return { topic, deadLetters };
}

function driverFor(addresses: readonly string[]): PlatformaticDriver {
  const brokers = addresses.map((address) => {
    const { hostname, port } = new URL(`kafka://${address}`);
    return { host: hostname, port: Number(port) };
  });
  const settings = { clientId: "test", tls: undefined, sasl: undefined, addressOf: <Same>(broker: Same) => broker };
  const driver = new PlatformaticDriver({ ...settings, answerWithinMs: 10_000, brokers }, systemHost);
  onTestFinished(() => driver.close());
  return driver;
}
