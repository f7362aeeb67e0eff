import { ConfigResourceTypes } from "kafkajs";
import { afterAll, describe, it } from "vitest";
import type { Address } from "../../src/domain/message.ts";
import type { TransportSubject } from "../../src/testing/transport-contract/bench.ts";
import { transportContract } from "../../src/testing/transport-contract.ts";
import { kafkaCapabilities, kafkaShortcomings } from "../../src/transports/kafka/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noKafka } from "../servers/kafka.ts";
import { useKafka } from "../servers/use-kafka.ts";
import { cuttableTransport, type Way } from "../transports/kafka/cuttable.ts";
import { makeTopic, withAdmin } from "../transports/kafka/oracle.ts";

const belongs = "a partition belongs to one consumer: what it has not taken waits for it";
const unordered = "Kafka keeps no order among partitions, which the test takes for granted";

const exemptions = {
  "takes no more than prefetch messages that are not settled": belongs,
  "takes nothing while the gate is closed, and goes on when it opens": belongs,
  "gives back what it took ahead when the gate closes, at no cost": belongs,
};

describeServer("transport: Kafka", noKafka, () => {
  const broker = useKafka();
  const ways = new Map<Transport, Way>();
  afterAll(async () => {
    await Promise.all(Array.from(ways.values(), (way) => way.close()));
  });

  function subject(partitions: number, exempt: Readonly<Record<string, string>>): TransportSubject {
    return {
      name: "kafka",
      capabilities: kafkaCapabilities,
      shortcomings: kafkaShortcomings,
      address: (name) => ({ name, group: `of-${name}` }),
      patienceMs: 30_000,
      async connect() {
        const { brokers, sessionTimeoutMs } = broker;
        // Topics are made for each test; a few waits are enough.
        const waits = { retryWaitsMs: [0, 1_500, 60_000] };
        const { transport, way } = await cuttableTransport({ brokers, sessionTimeoutMs, partitions, ...waits });
        ways.set(transport, way);
        return transport;
      },
      async crash(transport) {
        ways.get(transport)?.cut();
      },
      async interrupt(transport) {
        ways.get(transport)?.cut();
        return () => ways.get(transport)?.mend();
      },
      failSendsTo: (_, queue) => refuseMessages(broker.brokers, queue, partitions),
      exempt: { ...exemptions, ...exempt },
    };
  }

  describe.concurrent("with one partition", () => {
    const exempt = { "gives back what it took ahead when it is stopped, at no cost": belongs };
    for (const { title, exempt: why, run } of transportContract(subject(1, exempt))) it.skipIf(why)(title, run);
  });

  describe.concurrent("with several partitions", () => {
    const exempt = {
      "does not hold up the messages behind a delayed one": unordered,
      "does not hold up the messages behind one that waits for its retry": unordered,
    };
    for (const { title, exempt: why, run } of transportContract(subject(4, exempt))) it.skipIf(why)(title, run);
  });
});

/** Makes a topic that takes no message of more than one byte, until the returned function is called. */
async function refuseMessages(brokers: readonly string[], { name }: Address, partitions: number): Promise<() => void> {
  const limit = "max.message.bytes";
  await makeTopic(brokers, name, { partitions, configuration: { [limit]: "1" } });
  const configEntries = [{ name: limit, value: "1048576" }];
  const resources = [{ type: ConfigResourceTypes.TOPIC, name, configEntries }];
  return () => void withAdmin(brokers, (admin) => admin.alterConfigs({ validateOnly: false, resources }));
}
