/** The door to Kafka: `dead-letter-office/kafka`. Needs the package `@platformatic/kafka`. */
export type { KafkaBrokerAddress } from "./transports/kafka/driver.ts";
export {
  type KafkaSasl,
  type KafkaTransportOptions,
  kafkaTransport,
  kafkaTransportDefaults,
} from "./transports/kafka/transport.ts";
