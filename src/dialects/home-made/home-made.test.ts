import { describe, expect, it } from "vitest";
import type { LetterReading } from "../../domain/dead-letter.ts";
import type { Json } from "../json.ts";
import { readNotation } from "../notation/read-notation.ts";
import { readDeadLetter } from "../read-dead-letter.ts";

const at = "2026-11-15T10:00:05.123Z";
const atMs = Date.parse(at);

describe("headers that a team wrote by hand", () => {
  const spellings: Record<string, string>[] = [
    {
      "x-original-topic": "orders",
      "x-original-partition": "3",
      "x-original-offset": "48211",
      "x-exception-class": "PaymentError",
      "x-exception-message": "Card declined",
      "x-attempts": "3",
      "x-last-failure-at": at,
    },
    {
      "dlq-original-topic": "orders",
      "dlq-original-partition": "3",
      "dlq-original-offset": "48211",
      "dlq-error-name": "PaymentError",
      "dlq-error-message": "Card declined",
      "dlq-attempts": "3",
      "dlq-timestamp": String(atMs),
    },
    {
      "dlq.original.topic": "orders",
      "dlq.original.partition": "3",
      "dlq.original.offset": "48211",
      "dlq.error.class": "builtins.PaymentError",
      "dlq.error.message": "Card declined",
      "dlq.attempt.count": "3",
      "dlq.failed.at": at,
    },
    {
      reason: "PaymentError: Card declined",
      topic: "orders",
      partition: "3",
      offset: "48211",
      attempts: "3",
      "failed-at": at,
    },
    { origin: "orders[3]@48211", error: "PaymentError: Card declined", attempt: "3", failedAt: at },
    {
      ce_deadlettersourcetopic: "orders",
      ce_deadletteroriginalpartition: "3",
      ce_deadletteroriginaloffset: "48211",
      ce_deadlettererrortype: "PaymentError",
      ce_deadlettererrormessage: "Card declined",
      ce_deadletterattempts: "3",
      ce_deadletterfailedat: at,
    },
  ];

  it.each(spellings)("are read by what they are called: %o", (headers) => {
    expect(readKafka(headers)).toMatchObject({
      dialects: [],
      source: "orders",
      partition: 3,
      offset: 48_211n,
      errorClass: "PaymentError",
      errorMessage: "Card declined",
      attempts: 3,
      lastFailedAt: atMs,
      replay: { destination: "orders", strip: Object.keys(headers) },
    });
  });

  it("may have numbers in bytes, as Camel writes them", () => {
    const headers: Json = [
      { k: "failed-topic", utf8: "orders" },
      { k: "failed-partition", hex: "00000003" },
      { k: "failed-offset", hex: "000000000000bc53" },
      { k: "failure-reason", utf8: "Card declined" },
    ];
    const { source, partition, offset, errorMessage } = read({ transport: "kafka", topic: "dead", headers });
    expect({ source, partition, offset, errorMessage }).toEqual({
      source: "orders",
      partition: 3,
      offset: 48_211n,
      errorMessage: "Card declined",
    });
  });

  it("have retries that are not turned into attempts, for some count runs and some count repeats", () => {
    const headers = { "x-error-type": "PaymentError", "x-original-queue": "orders", "x-retry-count": "2" };
    expect(readKafka(headers)).toMatchObject({ source: "orders", attempts: null });
  });

  it("are the message's own as long as none of them tells of an error", () => {
    const headers = { topic: "gardening", reason_code: "7", partition: "2", offset: "3", timestamp: at, attempts: "1" };
    expect(readKafka(headers)).toMatchObject({ source: null, partition: null, offset: null, attempts: null });
    expect(readKafka(headers).replay.strip).toEqual([]);
  });

  it("give the class that was thrown, where they name a wrapper and have the stack", () => {
    const stack =
      "org.springframework.messaging.MessagingException: failed\n\tat a.B.c(B.java:1)\nCaused by: com.shop.Declined: no\n\tat a.B.c(B.java:2)\n";
    const headers = {
      "my-source-topic": "x",
      "error-class": "org.springframework.messaging.MessagingException",
      stacktrace: stack,
    };
    expect(readKafka(headers)).toMatchObject({ errorClass: "com.shop.Declined", errorMessage: "no" });
  });

  it.each([
    ["OrderService: timed out", null, "OrderService: timed out"],
    ["charge order: card declined", null, "charge order: card declined"],
    ["ValueError: bad amount: 12", "ValueError", "bad amount: 12"],
    ["Shop\\CardDeclined: no", "Shop\\CardDeclined", "no"],
  ])(
    "are split into class and message only where it is written like a class: %s",
    (error, errorClass, errorMessage) => {
      expect(readKafka({ error, "source-topic": "orders" })).toMatchObject({ errorClass, errorMessage });
    },
  );
});

describe("envelopes in the body", () => {
  const shapes: Json[] = [
    {
      dlq_metadata: {
        original_topic: "orders",
        error: "Card declined",
        error_type: "PaymentError",
        failed_at: at,
        retry_count: 2,
      },
      original_message: { key: "k", value: { a: 1 } },
    },
    {
      original_event: { a: 1 },
      dlq_metadata: {
        failed_at: atMs,
        failed_reason: "shop.PaymentError",
        failed_message: "Card declined",
        retry_count: 2,
        source_topic: "orders",
      },
    },
    {
      error: { type: "PaymentError", message: "Card declined" },
      source: { topic: "orders", partition: 0, offset: 9 },
      payload: { a: 1 },
      attempts: 3,
      failedAt: at,
    },
    {
      originalTopic: "orders",
      payload: "eyJhIjoxfQ==",
      payloadEncoding: "base64",
      error: { name: "PaymentError", message: "Card declined", stack: "x" },
      attempts: 3,
      failedAt: at,
    },
    {
      _dlq_record: {
        source_queue: "orders",
        error_reason: "PaymentError: Card declined",
        attempt_number: 3,
        last_attempted_at: at,
      },
      _original_payload: { a: 1 },
    },
    {
      dlq_metadata: { routed_at_utc: at, reason: "PaymentError", error: "Card declined", attempt_count: 3 },
      source: { topic: "orders", raw_value_hex: "7b2261223a317d" },
    },
    {
      dlq_metadata: { dlq_id: "7" },
      original_message: { subject: "orders", payload: { a: 1 } },
      failure_history: [
        { attempt: 1, attempted_at: "2026-11-15T10:00:01Z" },
        { attempt: 3, attempted_at: at, error_type: "PaymentError", error_message: "Card declined" },
      ],
    },
  ];

  it.each(shapes)("are read and unwrapped: %o", (body) => {
    const { dialects, source, errorClass, errorMessage, attempts, lastFailedAt, payload } = readBody(body);
    expect({ dialects, source, errorMessage, attempts, lastFailedAt }).toEqual({
      dialects: ["body-envelope"],
      source: "orders",
      errorMessage: "Card declined",
      attempts: 3,
      lastFailedAt: atMs,
    });
    expect(errorClass).toMatch(/PaymentError$/);
    expect(Buffer.from(payload ?? []).toString()).toBe('{"a":1}');
  });

  it("are not seen in messages that merely have an error or a topic in them", () => {
    expect(readBody({ topic: "orders", error: null, data: { a: 1 } }).dialects).toEqual([]);
    expect(readBody({ source: "web", reason: "returned", payload: {} }).dialects).toEqual([]);
  });
});

function readBody(body: Json): LetterReading {
  return read({ transport: "kafka", topic: "dead", headers: [], value: { utf8: JSON.stringify(body) } });
}

function readKafka(headers: Readonly<Record<string, string>>): LetterReading {
  return read({
    transport: "kafka",
    topic: "dead",
    headers: Object.entries(headers).map(([k, utf8]) => ({ k, utf8 })),
  });
}

function read(fixture: Json): LetterReading {
  return readDeadLetter(readNotation(fixture).letter);
}
