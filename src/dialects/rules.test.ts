import { describe, expect, it } from "vitest";
import type { LetterReading } from "../domain/dead-letter.ts";
import type { Json, JsonObject } from "./json.ts";
import { readNotation } from "./notation/read-notation.ts";
import { readDeadLetter } from "./read-dead-letter.ts";

/** Rules that no letter of the fixtures shows. */

describe("RabbitMQ", () => {
  it("says nothing of the source where a message only expired: work queues and waiting rooms look the same", () => {
    expect(read(dead(death("expired", "orders", 5)))).toMatchObject({ dialects: ["rabbitmq-dlx"], source: null });
  });

  it("names the queue that overflowed", () => {
    expect(read(dead(death("maxlen", "orders", 5)))).toMatchObject({ source: "orders", lastFailedAt: null });
  });

  it("has its source in the refusal, whatever died before and after it, in whatever order", () => {
    const deaths = [death("expired", "wait.2", 9), death("expired", "wait.1", 1), death("rejected", "orders", 5)];
    for (const order of [deaths, deaths.toReversed()]) {
      expect(read(dead(...order))).toMatchObject({
        source: "orders",
        firstFailedAt: null,
        lastFailedAt: 5_000 + start,
      });
    }
  });

  it("does not say which of several queues should get it whose consumers refused it", () => {
    const deaths = [death("rejected", "orders.dead", 9), death("rejected", "orders", 5), death("expired", "wait", 1)];
    expect(read(dead(...deaths))).toMatchObject({
      source: "orders",
      replay: { destination: "orders", alternatives: ["orders.dead"] },
    });
    expect(read(dead(death("rejected", "orders", 5), death("delivery_limit", "orders", 9))).replay).toMatchObject({
      ...{ destination: "orders", alternatives: [] },
    });
  });

  it("believes whoever names the origin besides RabbitMQ, and then there is one", () => {
    const letter = dead(death("rejected", "orders.dead", 9), death("rejected", "orders", 5)) as { headers: object };
    const named = { ...letter, headers: { ...letter.headers, "x-original-queue": text("orders") } };
    expect(read(named as unknown as Json).replay).toMatchObject({ destination: "orders", alternatives: [] });
  });

  it("takes a broker's limit on the time in a queue for none of the message's own", () => {
    const timestamp = { t: "T", v: start / 1_000 };
    const refused = dead(death("rejected", "orders", 5, "60000"));
    const waited = dead(death("expired", "wait", 1, "60000"), death("rejected", "orders", 5));
    const parked = { transport: "amqp-0-9-1", queue: "parking", properties: { expiration: "60000", timestamp } };
    for (const letter of [refused, { ...refused, properties: { timestamp } }, waited, parked])
      expect(read(letter).expiresAt).toBeNull();
  });

  it("keeps what AMQP 1.0 says more: the last time, in milliseconds", () => {
    const deaths = [
      {
        queue: "orders",
        reason: "rejected",
        count: 2,
        "first-time": start,
        "last-time": start + 77,
        exchange: "shop",
        "routing-keys": ["k"],
        ttl: 1_500,
      },
    ];
    expect(read({ transport: "amqp-1-0", messageAnnotations: { "x-opt-deaths": deaths } })).toMatchObject({
      source: "orders",
      firstFailedAt: start,
      lastFailedAt: start + 77,
      expiresAt: null,
      replay: { via: { exchange: "shop", routingKey: "k" } },
    });
  });
});

describe("a moment after which its sender wants nothing done", () => {
  const moment = "2026-11-15T10:30:00.000Z";
  const event = { specversion: "1.0", id: "1", type: "order", pubsubname: "p", topic: "orders" };
  const task = { task: text("charge"), id: text("1"), expires: text("2026-11-15T12:30:00+02:00") };

  it.each<[string, Json]>([
    ["a header", { transport: "kafka", headers: [{ k: "expires-at", utf8: moment }] }],
    ["a header in digits", { transport: "kafka", headers: [{ k: "x-expires-at", utf8: String(Date.parse(moment)) }] }],
    ["a CloudEvent", { transport: "kafka", headers: [{ k: "ce_expirytime", utf8: moment }] }],
    ["Dapr", { transport: "kafka", topic: "dead", value: { utf8: JSON.stringify({ ...event, expiration: moment }) } }],
    ["Celery", { transport: "amqp-0-9-1", headers: task }],
    [
      "MassTransit",
      {
        ...{ transport: "amqp-0-9-1", properties: { contentType: "application/vnd.masstransit+json" } },
        body: JSON.stringify({ messageId: "1", expirationTime: moment }),
      },
    ],
    [
      "Wolverine",
      {
        transport: "kafka",
        headers: [
          { k: "x-dlq-original-subject", utf8: "orders" },
          { k: "deliver-by", utf8: "2026-11-15 10:30:00:000000 Z" },
        ],
      },
    ],
  ])("is read from what says it: %s", (_, letter) => {
    expect(read(letter).expiresAt).toBe(Date.parse(moment));
  });

  it("is nothing where it is no time", () => {
    expect(read({ transport: "kafka", headers: [{ k: "expires-at", utf8: "tomorrow" }] }).expiresAt).toBeNull();
  });
});

describe("Spring", () => {
  it("prints the stack of an earlier round inside a later one, and the later one counts", () => {
    const message = (inside: string) => `, failedMessage=GenericMessage [payload=byte[3], headers={${inside}}]`;
    const round = (error: string, inside: string) =>
      `org.springframework.messaging.MessageHandlingException: failed${message(inside)}\n\tat a.B.c(B.java:1)\nCaused by: ${error}\n\tat a.B.d(B.java:2)\n`;
    const stack = round(
      "com.shop.Second: two\nlines",
      `x-exception-stacktrace=${round("com.shop.First: one", "id=1")}`,
    );
    const headers = {
      "x-original-exchange": text("shop"),
      "x-original-routingKey": text("k"),
      "x-exception-stacktrace": text(stack),
    };
    expect(read({ transport: "amqp-0-9-1", headers })).toMatchObject({
      errorClass: "com.shop.Second",
      errorMessage: "two\nlines",
    });
  });

  it.each([
    ["Listener failed; Card declined", null, "Card declined"],
    ["Listener failed; ", null, null],
    [
      "Listener method 'void a.B.c()' threw exception; nested exception is com.shop.Declined: no; nested exception is com.shop.Declined: no",
      "com.shop.Declined",
      "no",
    ],
  ])("has in a wrapper's message what it wraps: %s", (wrapped, errorClass, errorMessage) => {
    const headers = [
      { k: "kafka_dlt-original-topic", utf8: "orders" },
      { k: "kafka_dlt-exception-fqcn", utf8: "org.springframework.kafka.listener.ListenerExecutionFailedException" },
      { k: "kafka_dlt-exception-message", utf8: wrapped },
    ];
    expect(read({ transport: "kafka", headers })).toMatchObject({ errorClass, errorMessage });
  });

  it("is not taken for the writer of headers that somebody wrote by hand with its names", () => {
    const headers = {
      "x-original-exchange": text("shop"),
      "x-original-routing-key": text("k"),
      "x-original-queue": text("orders"),
      "x-error-type": text("Oops"),
    };
    expect(read({ transport: "amqp-0-9-1", headers })).toMatchObject({
      dialects: [],
      source: "orders",
      replay: { via: { exchange: "shop", routingKey: "k" } },
    });
  });
});

describe("Celery", () => {
  const task = {
    body: "W10=",
    "content-type": "application/json",
    headers: { task: "shop.charge", id: "t-1", retries: 2 },
    properties: { delivery_info: { exchange: "", routing_key: "celery" } },
  };

  it("is read in base64 as a whole on SQS, which names the queue and counts", () => {
    const Body = Buffer.from(JSON.stringify(task)).toString("base64");
    const Attributes = {
      DeadLetterQueueSourceArn: "arn:aws:sqs:eu-west-1:1:shop-celery",
      ApproximateReceiveCount: "4",
    };
    expect(read({ transport: "sqs", message: { Body, Attributes } })).toMatchObject({
      dialects: ["celery", "sqs-native"],
      source: "shop-celery",
      attempts: 3,
      handler: "shop.charge",
    });
  });

  it("is read from what a killed worker left, which counted nothing", () => {
    const hash = { tag: JSON.stringify([task, "", "celery"]) };
    expect(read({ transport: "celery-redis", key: "unacked", hash })).toMatchObject({
      dialects: ["celery"],
      source: "celery",
      attempts: null,
    });
  });
});

describe("Watermill", () => {
  it("names an exchange for a topic where messages go through exchanges", () => {
    const headers = { reason_poisoned: text("no"), topic_poisoned: text("orders") };
    const fields = { exchange: "poison", routingKey: "" };
    expect(read({ transport: "amqp-0-9-1", queue: "poison", fields, headers })).toMatchObject({
      dialects: ["watermill"],
      source: null,
      replay: { destination: null, via: { exchange: "orders", routingKey: "" } },
    });
  });
});

describe("libraries without a fixture", () => {
  it("are read: Brighter", () => {
    const headers = [
      { k: "originalTopic", utf8: "orders" },
      { k: "rejectionReason", utf8: "DeliveryError" },
      { k: "rejectionMessage", utf8: "Card declined" },
      { k: "rejectionTimestamp", utf8: "2026-11-15T10:00:05.1230000+00:00" },
    ];
    expect(read({ transport: "kafka", headers })).toMatchObject({
      dialects: ["brighter"],
      source: "orders",
      errorMessage: "Card declined",
      lastFailedAt: Date.parse("2026-11-15T10:00:05.123Z"),
    });
  });

  it("are read: Oban", () => {
    const errors = [
      { at: "2026-11-15T10:00:01Z", attempt: 1, error: "** (Shop.Oops) a\n    lib/a.ex:1: f/0" },
      { at: "2026-11-15T10:00:05Z", attempt: 2, error: "** (Shop.Oops) b\n    lib/a.ex:1: f/0" },
    ];
    const row = {
      id: 1,
      state: "discarded",
      queue: "default",
      worker: "Shop.Charge",
      args: { a: 1 },
      attempt: 2,
      errors,
    };
    expect(read({ transport: "oban", table: "public.oban_jobs", row })).toMatchObject({
      dialects: ["oban"],
      source: "default",
      errorClass: "Shop.Oops",
      errorMessage: "b",
      attempts: 2,
      firstFailedAt: Date.parse("2026-11-15T10:00:01Z"),
      lastFailedAt: Date.parse("2026-11-15T10:00:05Z"),
    });
  });

  it("are read: pipes of EventBridge", () => {
    const Body = JSON.stringify({
      context: {
        partnerResourceArn: "arn:aws:pipes:eu-west-1:1:pipe/orders-pipe",
        condition: "RetryAttemptsExhausted",
      },
      timestamp: "2026-11-15T10:00:05Z",
      KinesisBatchInfo: { streamArn: "arn:aws:kinesis:eu-west-1:1:stream/orders" },
    });
    expect(read({ transport: "sqs", message: { Body } })).toMatchObject({
      dialects: ["eventbridge-pipes"],
      source: "orders",
      consumer: "orders-pipe",
    });
  });

  it("are read: Bull 4, which counts under another name", () => {
    const hash = {
      data: "{}",
      attemptsMade: "2",
      failedReason: "no",
      stacktrace: '["Error: no\\n    at x"]',
      finishedOn: "1794736805123",
    };
    expect(read({ transport: "bullmq", key: "bull:orders:7", zset: "bull:orders:failed", hash })).toMatchObject({
      source: "orders",
      errorClass: "Error",
      attempts: 2,
    });
  });
});

describe("a large body", () => {
  const content = "x".repeat(100_000);

  it("is looked into where it is an envelope", () => {
    const value = {
      utf8: JSON.stringify({ payload: content, dlq_metadata: { original_topic: "orders", error: "no" } }),
    };
    expect(read({ transport: "kafka", value })).toMatchObject({ dialects: ["body-envelope"], source: "orders" });
  });

  it("is looked into where it is a job", () => {
    const value = JSON.stringify({ q: "orders", f: "charge", a: [content], r: "Oops('no')", t: 1 });
    expect(read({ transport: "arq", key: "arq:result:1", value })).toMatchObject({
      source: "orders",
      errorClass: "Oops",
    });
  });
});

const start = 1_794_736_800_000;

function text(v: string): Json {
  return { t: "S", v };
}

function death(reason: string, queue: string, second: number, lifetime?: string): Json {
  const time = { t: "T", v: start / 1_000 + second };
  const more = lifetime === undefined ? {} : { "original-expiration": text(lifetime) };
  return { t: "F", v: { reason: text(reason), queue: text(queue), count: { t: "l", v: 1 }, time, ...more } };
}

function dead(...deaths: readonly Json[]): JsonObject {
  return { transport: "amqp-0-9-1", queue: "dead", headers: { "x-death": { t: "A", v: deaths } } };
}

function read(fixture: Json): LetterReading {
  return readDeadLetter(readNotation(fixture).letter);
}
