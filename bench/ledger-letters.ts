import type { DeadLetter } from "../src/domain/dead-letter.ts";
import { makeMessage } from "../src/domain/message.ts";
import { wire } from "../src/domain/wire.ts";

/** Failures as they come: few causes make most letters. */
const causes: readonly (readonly [errorClass: string, message: (n: number) => string, code: string | null])[] = [
  ["TimeoutError", (n) => `POST payments-api /charge timed out after ${n % 9000} ms`, "ETIMEDOUT"],
  ["DatabaseError", (n) => `deadlock detected while updating order ${n}`, "40P01"],
  ["SchemaError", (n) => `OrderPlaced.v3: missing required property tax at /items/${n % 40}`, null],
  ["TypeError", (n) => `Cannot read properties of undefined (reading 'total') for order ${n}`, null],
  ["CreditLimitExceeded", (n) => `customer c-${n} is over the limit by ${n % 500} EUR`, null],
  ["EntityNotFoundError", (n) => `order o-${n} does not exist any more`, null],
  ["FetchError", (n) => `request to stock failed, reason: connect ECONNREFUSED 10.0.${n % 255}.7:8443`, "ECONNREFUSED"],
];

export const benchQueues = 40;
const services = 50;

/** A dead letter of about 3 KB, as a consumer with the runtime leaves it. The same number gives the same letter. */
export function benchLetter(n: number): DeadLetter {
  // Squared: small numbers, and so the first causes and queues, come most often.
  const skew = (of: number, salt: number) => Math.floor(scattered(n, salt) ** 2 * of);
  const [errorClass, message, code] = causes[skew(causes.length, 1)] ?? ["Error", String, null];
  const queue = `queue-${skew(benchQueues, 2)}`;
  const service = `service-${skew(services, 3)}`;
  const frames = Array.from(
    { length: 8 },
    (_, at) => `    at ${service}.step${at} (/app/src/${service}/handler${at}.js:${at * 7 + 3}:15)`,
  );
  const error = {
    class: errorClass,
    message: message(n),
    code,
    stack: [`${errorClass}: ${message(n)}`, ...frames].join("\n"),
  };
  return {
    broker: "amqp-0-9-1",
    queue: `${queue}.dlq`,
    message: makeMessage({
      body: bodyOf(n),
      headers: {
        [wire.queue]: queue,
        [wire.attempt]: "5",
        [wire.firstFailedAt]: "2026-11-15T10:00:00.000Z",
        [wire.failedAt]: "2026-11-15T10:00:31.000Z",
        [wire.error]: JSON.stringify(error),
        [wire.reason]: "attempts_exhausted",
        [wire.consumer]: `${service}/place-order@2.14.3`,
        [wire.key]: `order-${n}`,
        traceparent: `00-${String(n).padStart(32, "0")}-00f067aa0ba902b7-01`,
      },
    }),
    partition: null,
    offset: null,
    timestamp: null,
    exchange: null,
    routingKey: null,
    redelivered: false,
  };
}

/** From 0 to 1, the same for the same numbers, and for different salts as if they had nothing to do with each other. */
function scattered(n: number, salt: number): number {
  let mixed = Math.imul(n + 1, 0x9e37_79b1) ^ Math.imul(salt, 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2_ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x27d4_eb2f);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

function bodyOf(n: number): string {
  const items = Array.from({ length: 10 }, (_, at) => ({
    sku: `A-${(n + at) % 977}`,
    quantity: (at % 3) + 1,
    price: 19.9 + at,
  }));
  return JSON.stringify({
    orderId: `o-${n}`,
    customerId: `c-${n % 5_000}`,
    placedAt: "2026-11-15T10:00:00Z",
    items,
    note: "x".repeat(560),
  });
}
