import { type Message, makeMessage } from "../../src/domain/message.ts";
import { wire } from "../../src/domain/wire.ts";

/** What went wrong that night, with how often: the queue, the error as its consumer tells it, and what a person would say. */
export interface Cause {
  readonly queue: string;
  readonly n: number;
  readonly category: string;
  readonly error: (n: number) => {
    readonly class: string;
    readonly message: string;
    readonly code?: string;
    readonly at: string;
  };
}

const uuid = (n: number) => `${n.toString(16).padStart(8, "0")}-1c2d-4e3f-8a9b-0123456789ab`;

export const causes: readonly Cause[] = [
  {
    ...{ queue: "orders", n: 1_204, category: "transient" },
    error: (n) => ({
      class: "TimeoutError",
      message: `POST https://payments.internal/charges/${uuid(n)} timed out after ${3_000 + (n % 400)} ms`,
      code: "ETIMEDOUT",
      at: "charge",
    }),
  },
  {
    ...{ queue: "orders", n: 400, category: "transient" },
    error: (n) => ({
      class: "Error",
      message: `connect ECONNREFUSED 10.0.${n % 7}.${n % 250}:5432`,
      code: "ECONNREFUSED",
      at: "reserve",
    }),
  },
  {
    ...{ queue: "billing", n: 180, category: "transient" },
    error: (n) => ({
      class: "DatabaseError",
      message: `deadlock detected while updating invoice ${n}`,
      code: "40P01",
      at: "settle",
    }),
  },
  {
    ...{ queue: "orders", n: 186, category: "schema_mismatch" },
    error: (n) => ({
      class: "SchemaValidationError",
      message: `missing required property 'currency' at /lines/${n % 30}`,
      at: "decode",
    }),
  },
  {
    ...{ queue: "billing", n: 121, category: "business_rule" },
    error: (n) => ({
      class: "CreditLimitExceeded",
      message: `customer c-${n} is over the credit limit by ${n % 900}.50 EUR`,
      at: "approve",
    }),
  },
  {
    ...{ queue: "labels", n: 177, category: "poison" },
    error: () => ({
      class: "ReferenceError",
      message: "taxRate is not defined",
      at: "printLabel",
    }),
  },
  {
    ...{ queue: "labels", n: 132, category: "lost_context" },
    error: (n) => ({ class: "EntityNotFoundError", message: `order ${uuid(n)} does not exist any more`, at: "load" }),
  },
];

/** A dead letter as a consumer with the runtime leaves it. Each is another order, on another host, of another build. */
export function runtimeLetter({ queue, error }: Cause, n: number): Message {
  const { at, ...told } = error(n);
  const stack = `${told.class}: ${told.message}\n    at ${at} (/srv/build-${n % 9}/src/${at}.js:${10 + (n % 40)}:7)\n    at run (/srv/build-${n % 9}/src/run.js:3:1)`;
  return makeMessage({
    body: JSON.stringify({ orderId: uuid(n), lines: [{ sku: `A-${n}`, price: n / 100 }] }),
    headers: {
      [wire.queue]: queue,
      [wire.reason]: "attempts_exhausted",
      [wire.attempt]: "5",
      [wire.firstFailedAt]: "2026-11-15T02:00:00.000Z",
      [wire.failedAt]: "2026-11-15T02:04:00.000Z",
      [wire.error]: JSON.stringify({ ...told, stack }),
    },
  });
}

/** What Spring for Apache Kafka writes beside a record that its listener gave up. */
export const springCauses = [
  {
    n: 150,
    category: "transient",
    class: "java.net.SocketTimeoutException",
    message: (n: number) => `Read timed out after ${n} ms`,
    at: "com.shop.geo.GeoClient.locate(GeoClient.java",
  },
  {
    n: 90,
    category: "poison",
    class: "java.lang.NullPointerException",
    message: () => 'Cannot invoke "com.shop.Customer.getAddress()" because "customer" is null',
    at: "com.shop.ship.LabelService.create(LabelService.java",
  },
] as const;

export function springRecord(topic: string, cause: (typeof springCauses)[number], n: number): Message {
  const bytes = (text: string) => ({ type: "bytes", value: Buffer.from(text) }) as const;
  const message = cause.message(n);
  const wrapper = "org.springframework.kafka.listener.ListenerExecutionFailedException";
  const stack = `${wrapper}: Listener failed\n\tat org.springframework.kafka.listener.KafkaMessageListenerContainer.run(KafkaMessageListenerContainer.java:${n})\nCaused by: ${cause.class}: ${message}\n\tat ${cause.at}:${20 + (n % 50)})\n`;
  const told = {
    "kafka_dlt-original-topic": topic,
    "kafka_dlt-original-consumer-group": "shipping",
    "kafka_dlt-exception-fqcn": wrapper,
    "kafka_dlt-exception-cause-fqcn": cause.class,
    "kafka_dlt-exception-message": `Listener failed; ${message}`,
    "kafka_dlt-exception-stacktrace": stack,
  };
  const headers = Object.entries(told).map(([name, value]) => ({ name, value: bytes(value) }));
  return makeMessage({ key: `k-${n}`, body: JSON.stringify({ id: n }), headers });
}
