import { describe, expect, it } from "vitest";
import type { DeadLetter } from "../domain/dead-letter.ts";
import { makeMessage } from "../domain/message.ts";
import { readDeadLetter } from "./read-dead-letter.ts";

const headers = {
  "dlo-queue": "orders",
  "dlo-attempt": "3",
  "dlo-first-failed-at": "2026-11-15T10:00:01.000Z",
  "dlo-failed-at": "2026-11-15T10:00:05.123Z",
  "dlo-reason": "attempts_exhausted",
  "dlo-error": JSON.stringify({
    class: "PaymentError",
    message: "Card declined",
    code: "E1",
    status: 402,
    stack: "at x",
  }),
  "dlo-consumer": JSON.stringify({
    ...{ service: "billing", handler: "charge", version: "1.8.2", instance: "w1", host: "web-7", process: "42" },
  }),
  "dlo-key": "o-1001",
  tenant: "acme",
};

describe("our own letters", () => {
  it.each([
    ["orders/3/48211", { partition: 3, offset: 48_211n }],
    ["ORDERS:17", { partition: null, offset: 17n }],
    ["912", { partition: null, offset: 912n }],
    ["1731686400000-0", { partition: null, offset: null }],
    ["7d3c9a6e-4f0b-4a0e-9d55-1f0c2f4b9a11", { partition: null, offset: null }],
  ])("say where they were: %s", (position, place) => {
    expect(readDeadLetter(letter({ ...headers, "dlo-position": position }))).toMatchObject({ position, ...place });
  });

  it("are read with all that the runtime wrote down", () => {
    expect(readDeadLetter(letter(headers))).toMatchObject({
      dialects: ["dead-letter-office"],
      source: "orders",
      errorClass: "PaymentError",
      errorMessage: "Card declined",
      errorCode: "E1",
      httpStatus: 402,
      stack: "at x",
      attempts: 3,
      firstFailedAt: Date.parse("2026-11-15T10:00:01Z"),
      lastFailedAt: Date.parse("2026-11-15T10:00:05.123Z"),
      idempotencyKey: "o-1001",
      consumer: "billing",
      handler: "charge",
      ...{ consumerVersion: "1.8.2", host: "web-7", process: "42 (w1)" },
      replay: { destination: "orders", via: null },
    });
  });

  it("keep the message's own headers and its key when they go back", () => {
    const { strip } = readDeadLetter(letter(headers)).replay;
    expect(Object.keys(headers).filter((name) => !strip.includes(name))).toEqual(["dlo-key", "tenant"]);
  });

  it("are not seen in a message that was only on its way", () => {
    const { "dlo-reason": _, ...underWay } = headers;
    expect(readDeadLetter(letter(underWay)).dialects).toEqual([]);
  });

  it("are not seen in a message that is back in its own queue", () => {
    expect(readDeadLetter({ ...letter(headers), queue: "orders" }).dialects).toEqual([]);
  });
});

function letter(headers: Readonly<Record<string, string>>): DeadLetter {
  const message = makeMessage({ body: "{}", headers });
  const nowhere = { partition: null, offset: null, timestamp: null, exchange: null, routingKey: null };
  return { broker: "memory", queue: "orders.dlq", message, ...nowhere, redelivered: false };
}
