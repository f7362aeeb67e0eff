/** The door to Kafka: `dead-letter-office/kafka`. Needs the package `@platformatic/kafka`. */
export {
  type KafkaBrokerAddress,
  type KafkaSasl,
  type KafkaTransportOptions,
  kafkaTransport,
  kafkaTransportDefaults,
} from "./transports/kafka/transport.ts";
