import type { BrokerDriver } from "./broker-driver.ts";
import { kafkaDriver } from "./kafka-driver.ts";
import { natsDriver } from "./nats-driver.ts";
import { postgresDriver } from "./postgres-driver.ts";
import { rabbitmqDriver } from "./rabbitmq-driver.ts";
import { redisDriver } from "./redis-driver.ts";
import { sqsDriver } from "./sqs-driver.ts";

/** The brokers that kill loops can run on, by the name that `--broker` takes. */
export const brokers = {
  postgres: postgresDriver,
  rabbitmq: rabbitmqDriver,
  kafka: kafkaDriver,
  redis: redisDriver,
  nats: natsDriver,
  sqs: sqsDriver,
} satisfies Readonly<Record<string, BrokerDriver>>;

export type BrokerName = keyof typeof brokers;

export const brokerNames = Object.keys(brokers) as readonly BrokerName[];

export function isBrokerName(name: string): name is BrokerName {
  return Object.hasOwn(brokers, name);
}
