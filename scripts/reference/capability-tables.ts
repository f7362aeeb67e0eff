import { kafkaCapabilities } from "../../src/transports/kafka/transport.ts";
import { memoryCapabilities } from "../../src/transports/memory.ts";
import { postgresCapabilities } from "../../src/transports/postgres/transport.ts";
import { rabbitmqCapabilities } from "../../src/transports/rabbitmq/transport.ts";
import type { Capabilities } from "../../src/transports/transport.ts";
import { declaredOptions } from "./declared-options.ts";
import { code, table } from "./markdown-table.ts";

interface Transport {
  readonly title: string;
  readonly factory: string;
  readonly capabilities: Capabilities;
}

const transports: readonly Transport[] = [
  { title: "in process", factory: "memoryTransport", capabilities: memoryCapabilities(true) },
  { title: "PostgreSQL, PGlite", factory: "postgresTransport", capabilities: postgresCapabilities },
  { title: "RabbitMQ", factory: "rabbitmqTransport", capabilities: rabbitmqCapabilities },
  { title: "Kafka", factory: "kafkaTransport", capabilities: kafkaCapabilities },
];

/** One row a transport, for people who choose one. */
export function transportTable(): string {
  const names = capabilityNames();
  const rows = transports.map(({ title, factory, capabilities }) => [
    title,
    code(factory),
    ...names.map((name) => (capabilities[name] ? "yes" : "no")),
  ]);
  return table(["broker", "made by", ...names.map(code)], rows);
}

/** One row a capability: what it means, and who has it. */
export function capabilityTable(): string {
  const rows = declaredOptions("src/transports/transport.ts", "Capabilities").map(({ name, about }) => [
    code(name),
    about,
    ...transports.map(({ capabilities }) => (capabilities[name as keyof Capabilities] ? "yes" : "no")),
  ]);
  return table(["capability", "what it claims", ...transports.map(({ title }) => title)], rows);
}

function capabilityNames(): (keyof Capabilities)[] {
  return Object.keys(postgresCapabilities) as (keyof Capabilities)[];
}
