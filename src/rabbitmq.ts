/** The door to RabbitMQ: `dead-letter-office/rabbitmq`. Needs the package `amqplib`. */
export { type RabbitmqTransportOptions, rabbitmqTransportDefaults } from "./transports/rabbitmq/options.ts";
export { rabbitmqTransport } from "./transports/rabbitmq/transport.ts";
