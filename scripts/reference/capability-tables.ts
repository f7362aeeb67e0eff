import { kafkaCapabilities, kafkaShortcomings } from "../../src/transports/kafka/transport.ts";
import { memoryCapabilities } from "../../src/transports/memory.ts";
import { natsCapabilities, natsShortcomings } from "../../src/transports/nats/transport.ts";
import { ordinaryReplies } from "../../src/transports/ordinary-replies.ts";
import { postgresCapabilities } from "../../src/transports/postgres/transport.ts";
import { rabbitmqCapabilities, rabbitmqShortcomings } from "../../src/transports/rabbitmq/transport.ts";
import { redisCapabilities, redisShortcomings } from "../../src/transports/redis/transport.ts";
import {
  sqsCapabilities,
  sqsFifoCapabilities,
  sqsFifoShortcomings,
  sqsShortcomings,
} from "../../src/transports/sqs/transport.ts";
import type { Capabilities, Shortcomings } from "../../src/transports/transport.ts";
import { declaredOptions } from "./declared-options.ts";
import { code, table } from "./markdown-table.ts";

interface Transport {
  readonly title: string;
  readonly factory: string;
  readonly capabilities: Capabilities;
  readonly shortcomings?: Shortcomings;
}

const transports: readonly Transport[] = [
  {
    title: "in process",
    factory: "memoryTransport",
    capabilities: memoryCapabilities(true),
    shortcomings: ordinaryReplies,
  },
  {
    title: "PostgreSQL, PGlite",
    factory: "postgresTransport",
    capabilities: postgresCapabilities,
    shortcomings: ordinaryReplies,
  },
  {
    title: "RabbitMQ",
    factory: "rabbitmqTransport",
    capabilities: rabbitmqCapabilities,
    shortcomings: rabbitmqShortcomings,
  },
  { title: "Kafka", factory: "kafkaTransport", capabilities: kafkaCapabilities, shortcomings: kafkaShortcomings },
  { title: "Redis", factory: "redisTransport", capabilities: redisCapabilities, shortcomings: redisShortcomings },
  { title: "NATS", factory: "natsTransport", capabilities: natsCapabilities, shortcomings: natsShortcomings },
  { title: "SQS", factory: "sqsTransport", capabilities: sqsCapabilities, shortcomings: sqsShortcomings },
  {
    title: "SQS, FIFO",
    factory: "sqsTransport",
    capabilities: sqsFifoCapabilities,
    shortcomings: sqsFifoShortcomings,
  },
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

/** One row for everything a broker does not do, with its reason. */
export function shortcomingTable(): string {
  const rows = transports.flatMap(({ title, capabilities, shortcomings = {} }) =>
    capabilityNames()
      .filter((name) => !capabilities[name])
      .map((name) => [title, code(name), shortcomings[name] ?? ""]),
  );
  return table(["broker", "does not claim", "since"], rows);
}

function capabilityNames(): (keyof Capabilities)[] {
  return Object.keys(postgresCapabilities) as (keyof Capabilities)[];
}
