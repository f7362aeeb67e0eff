import { OfficeError } from "../domain/errors.ts";
import type { Broker } from "./broker-names.ts";

const brokersByScheme: Readonly<Record<string, Broker>> = {
  amqp: "rabbitmq",
  amqps: "rabbitmq",
  postgres: "postgres",
  postgresql: "postgres",
  kafka: "kafka",
  kafkas: "kafka",
  nats: "nats",
  tls: "nats",
  redis: "redis",
  rediss: "redis",
  sqs: "sqs",
};

/** What a broker is, by how its address begins. */
export function brokerAt(url: string, otherwise = "…", key = "--url"): Broker {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase() ?? "";
  const broker = brokersByScheme[scheme] ?? (/^https:\/\/sqs\./.test(url) ? "sqs" : undefined);
  if (broker !== undefined) return broker;
  const known = [...new Set(Object.keys(brokersByScheme))].map((each) => `${each}://`).join(", ");
  throw new OfficeError("INVALID_OPTION", `\`${key}\` must begin with one of ${known}, https://sqs.${otherwise}`);
}
