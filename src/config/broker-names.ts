/** The brokers there are, as the configuration spells them. */
export const brokers = ["rabbitmq", "kafka", "sqs", "nats", "redis", "postgres"] as const;

export type Broker = (typeof brokers)[number];
