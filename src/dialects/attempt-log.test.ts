import { describe, expect, it } from "vitest";
import { everyDialect, foreignLetters } from "../../test/dialects/letters.ts";
import { makeMessage } from "../domain/message.ts";
import { attemptLog } from "./attempt-log.ts";
import { readNotation } from "./notation/read-notation.ts";
import { readDeadLetter } from "./read-dead-letter.ts";

const known = new Map([
  ...everyDialect().map(({ id, fixture }) => [id, fixture] as const),
  ...foreignLetters().map(({ id, fixture }) => [id, fixture] as const),
]);

/** What is told of each attempt, in a line. */
function linesOf(id: string): readonly string[] | null {
  const { attemptLog: log } = readDeadLetter(readNotation(known.get(id) ?? null).letter);
  return log === null ? null : log.map((attempt) => lineOf(attempt));
}

function lineOf({ n, at, waitMs, consumer, version, process, errorClass, errorCode, httpStatus, outcome }: Attempt) {
  const time = at === null ? "?" : new Date(at).toISOString().slice(11, 23);
  const by = [consumer, version, process].filter((part) => part !== null).join("/");
  const error = [errorClass, errorCode, httpStatus].filter((part) => part !== null).join(" ");
  return [n ?? "?", time, waitMs ?? "?", by || "?", error || "?", outcome].join(" ");
}

type Attempt = NonNullable<ReturnType<typeof readDeadLetter>["attemptLog"]>[number];

describe("attempts that a letter tells of", () => {
  it.each([
    [
      "bullmq",
      ["1 ? ? ? PaymentError retried", "2 ? ? ? PaymentError retried", "3 10:00:05.123 ? ? PaymentError dead_lettered"],
    ],
    [
      "go/river/http503/1",
      [
        "1 16:33:47.680 ? vm_2026_11_15T16_33_47_570807 ? retried",
        "2 16:33:47.993 ? vm_2026_11_15T16_33_47_570807 ? dead_lettered",
      ],
    ],
    ["procrastinate", ["1 10:00:05.123 ? ? ? dead_lettered"]],
    ["dramatiq", ["1 ? ? ? shop.PaymentError retried", "2 10:00:05.123 ? ? ? dead_lettered"]],
    ["rebus", ["? ? ? ? Shop.PaymentException retried", "? ? ? ? Shop.PaymentException dead_lettered"]],
    ["spring-kafka-retry", ["1 ? ? ? ? retried", "2 10:00:06.123 ? ? ? retried", "3 10:00:08.480 ? ? ? dead_lettered"]],
    [
      "smallrye-kafka 2",
      ["1 ? ? ? com.shop.PaymentException retried", "2 10:00:05.123 ? ? com.shop.PaymentException dead_lettered"],
    ],
    [
      "jvm-amqp-c5-fk-1",
      ["1", "2", "3"].map(
        (_, at) =>
          `? ? ? ? org.springframework.dao.DataIntegrityViolationException ${at === 2 ? "dead_lettered" : "retried"}`,
      ),
    ],
    [
      "php/symfony/messenger/http503/1",
      [
        "1 16:25:04.000 ? ? App\\Exception\\UpstreamError 503 retried",
        "2 16:25:04.000 200 ? App\\Exception\\UpstreamError 503 retried",
        "3 16:25:04.000 200 ? App\\Exception\\UpstreamError 503 dead_lettered",
      ],
    ],
    ["rabbitmq-dlx 2", ["? 09:58:25.000 ? ? ? retried", "? 09:58:55.000 ? ? ? dead_lettered"]],
    [
      "python-confluent-kafka-26",
      [
        "1 16:25:00.577 ? ? QueryCanceled retried",
        "2 16:25:00.836 ? ? QueryCanceled retried",
        "3 16:25:01.091 ? ? QueryCanceled dead_lettered",
      ],
    ],
    // A replayed one counts anew; a task that is only delayed was not tried; a kind that nobody handles never ran.
    ["python-celery-native-delay-02", null],
    ["go/river/unknown-kind/1", null],
    ["node/bullmq/flow-parent/1", null],
    ["rabbitmq-dlx", null],
    ["nservicebus", null],
    ["masstransit", null],
    ["sidekiq", null],
  ])("%s", (id, lines) => {
    expect(known.has(id)).toBe(true);
    expect(linesOf(id)).toEqual(lines);
  });

  it("have who ran them and how they ended, in letters of our own", () => {
    const history = [
      {
        n: 1,
        at: "2026-11-15T10:00:01.000Z",
        class: "TypeError",
        message: "x",
        kind: "unknown",
        delayMs: 1_500,
        by: "billing@1.8.2#w1",
      },
      { n: 2, at: "2026-11-15T10:00:03.000Z", started: true, by: "billing@1.8.2-rc.1#w2" },
      { n: 3, at: "2026-11-15T10:00:04.000Z", suspect: true, by: "billing#w3" },
      {
        n: 3,
        at: "2026-11-15T10:00:05.000Z",
        class: "Refused",
        message: "y",
        code: "ECONNREFUSED",
        status: 503,
        by: "#w3",
      },
    ];
    const headers = {
      ...{ "dlo-queue": "orders", "dlo-reason": "attempts_exhausted", "dlo-attempt": "3" },
      "dlo-history": JSON.stringify(history),
    };
    const nowhere = { partition: null, offset: null, timestamp: null, exchange: null, routingKey: null };
    const message = makeMessage({
      headers: Object.entries(headers).map(([name, value]) => ({ name, value: { type: "text", value } })),
    });
    const reading = readDeadLetter({ broker: "redis", queue: "orders.dlq", message, ...nowhere, redelivered: false });
    expect(reading.attemptLog?.map(lineOf)).toEqual([
      "1 10:00:01.000 ? billing/1.8.2/w1 TypeError retried",
      "2 10:00:03.000 1500 billing/1.8.2-rc.1/w2 ? crashed",
      "3 10:00:05.000 ? w3 Refused ECONNREFUSED 503 dead_lettered",
    ]);
  });

  it("are the latest hundred, with short texts, however many there are", () => {
    const log = attemptLog(Array.from({ length: 5_000 }, (_, n) => ({ n, errorMessage: "x".repeat(100_000) })));
    expect([log?.length, log?.[0]?.n, log?.at(-1)?.errorMessage?.length]).toEqual([100, 4_900, 500]);
  });
});
