import { isOfficeError, OfficeError } from "../../domain/errors.ts";
import { systemClock } from "../../system/host.ts";
import { KafkaFault } from "../../transports/kafka/driver.ts";
import { Cluster } from "../../transports/kafka/platformatic/cluster.ts";
import type { Remedies } from "../../wiring/finding.ts";
import { soundsDead } from "../../wiring/names.ts";
import type { Inspect } from "../inspector.ts";
import { accessRefused } from "../refusals.ts";
import { type KafkaAddress, parseKafkaAddress } from "./kafka-address.ts";
import { kafkaWiring } from "./kafka-wiring.ts";
import { readTopics } from "./topic-facts.ts";

/** Topics, their settings, and of dead-letter topics how much is in them. Joins no group and commits nothing. */
export const inspectKafka: Inspect = async ({ url }, { signal, limitMs }) => {
  const address = parseKafkaAddress(url);
  const { brokers, tls, sasl } = address;
  const settings = { clientId: "dlo-doctor", addressOf: <Same>(broker: Same) => broker, answerWithinMs: limitMs };
  const cluster = new Cluster({ ...settings, brokers, tls, sasl });
  // Once time is over, whatever is under way ends with its connection.
  const giveUp = () => void cluster.connections.close();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    const topics = await readTopics(cluster, soundsDead);
    return { wiring: kafkaWiring(topics, systemClock.now()), remedies: kafkaRemedies(address) };
  } catch (error) {
    throw refusal(error, address);
  } finally {
    signal.removeEventListener("abort", giveUp);
    await cluster.connections.close();
  }
};

function kafkaRemedies({ brokers }: KafkaAddress): Remedies {
  const servers = brokers.map(({ host, port }) => `${host}:${port}`).join(",");
  const alter = (topic: string, settings: string) =>
    `kafka-configs.sh --bootstrap-server ${servers} --alter --entity-type topics --entity-name ${topic} --add-config ${settings}`;
  return {
    "letters.compacted": ({ name }) => alter(name, "cleanup.policy=delete,retention.ms=-1"),
    "letters.retention": ({ name }) => alter(name, "retention.ms=-1"),
    "letters.expiring": ({ name }) => alter(name, "retention.ms=-1"),
    "letters.overflow": ({ name }) => alter(name, "retention.bytes=-1"),
  };
}

function refusal(error: unknown, { brokers }: KafkaAddress): unknown {
  const what = `Kafka at ${brokers.map(({ host, port }) => `${host}:${port}`).join(", ")}`;
  if (error instanceof KafkaFault)
    return new OfficeError("TRANSPORT_UNAVAILABLE", `${what} answers with ${error.fault}.`, { cause: error });
  if (isOfficeError(error) && /sasl|authenticat/i.test(error.message))
    return accessRefused(what, "Check the user, the password and ?sasl= in `url`.");
  return error;
}
