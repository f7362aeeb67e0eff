/** The door to NATS: `dead-letter-office/nats`. Needs the packages `@nats-io/transport-node` and `@nats-io/jetstream`. */
export { type NatsTransportOptions, natsTransport, natsTransportDefaults } from "./transports/nats/transport.ts";
