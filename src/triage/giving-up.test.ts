import { describe, expect, it } from "vitest";
import { type FailureEvidence, noEvidence } from "../domain/classification.ts";
import { classify } from "./classify.ts";

const of = (evidence: Partial<FailureEvidence>) => classify({ ...noEvidence, ...evidence });

/** What brokers, libraries and teams write when they have tried often enough. */
const givingUp = [
  "Delivery limit exceeded",
  "delivery_limit",
  "Offset delivery count exceeded the threshold.",
  "Offset rejected by client.",
  "Message could not be consumed after 10 delivery attempts.",
  "maximum retries exceeded",
  "Max retries exceeded",
  "max 5 retries exceeded",
  "job exceeded maximum retries",
  "max receive count exceeded",
  "Message exceeded its maxReceiveCount of 5",
  "ApproximateReceiveCount reached the limit of the redrive policy",
  "received too many times",
  "retries exhausted",
  "Retries exhausted: 3/3",
  "RetryAttemptsExhausted",
  "All retry attempts have been exhausted",
  "Exhausted all retries",
  "attempts exhausted",
  "attempts_exhausted",
  "max attempts reached",
  "Maximum number of attempts (5) exceeded",
  "Exceeded maximum number of delivery attempts (5)",
  "number of delivery attempts exceeds the maximum",
  "MaxDeliveryCountExceeded",
  "Maximum deliveries exceeded",
  "consumer reached max deliver",
  "Too many redeliveries",
  "Redelivery limit of 20 reached",
  "Exceeded the maximum redelivery count",
  "Message was redelivered too many times",
  "Exhausted after delivery attempt: 4",
  "retry limit of 3 reached",
  "The retry limit for this message has been reached",
  "retry count exceeded limit",
  "Reached the maximum number of retries",
  "max_retries_exceeded",
  "MAX_RETRIES_REACHED",
  "maximum retry attempts",
  "no more retries left",
  "out of retries",
  "retry budget exhausted",
  "Retry policy 'orders' exhausted",
  "Gave up after 25 attempts",
  "giving up after 3 tries",
  "Failed after 5 retries",
  "Failed 10 times",
  "exceed max reconsume times",
  "Backout threshold reached",
  "Poison message threshold exceeded",
  "Processing attempts exceeded maximum of 5",
  "Message rejected: too many delivery attempts",
  "The message was rejected because its delivery count exceeded the maximum of 10",
  "Message dropped: exceeded maximum receive count",
  "Job cancelled after max retries exceeded",
  "Task failed: retry limit exceeded, message blocked",
  "Message closed, maximum number of redeliveries reached",
  "Moved to dead-letter queue: delivery attempts exceeded",
  "The message expired and was dead lettered.",
  "TTLExpiredException",
  "MaximumEventAgeInSeconds",
  "EventAgeExceeded",
  "Message expired",
  "Job expired",
  "Message rejected by consumer",
  "offset 12 was rejected by the client",
  "Order 7 exceeded maximum retries",
  "Order 7 has exceeded the maximum number of retries",
  "Payment reached its retry limit",
  "The limit for retries has been reached",
];

describe("a text that says only that it was given up", () => {
  it.each(givingUp)("names no cause: %s", (text) => {
    const asName = /^\w+$/.test(text) ? [{ errorClass: `com.shop.${text}` }, { code: text }] : [];
    for (const evidence of [{ message: text }, { message: text, code: "max_retries_exceeded" }, ...asName]) {
      const { category, why } = of(evidence);
      expect({ ...evidence, category }).toEqual({ ...evidence, category: "unknown" });
      expect(why).toMatch(/earlier attempts/);
    }
  });

  it.each([
    ["Max retries exceeded with url: /x (Caused by NewConnectionError('No route to host'))", "transient"],
    ["Retries exhausted: 3/3: connect ECONNREFUSED 10.0.0.7:443", "transient"],
    ["Card declined after maximum retries exceeded", "business_rule"],
    ["max attempts reached: insufficient stock for sku 7", "business_rule"],
    ["Gave up after 25 attempts: Unexpected token < in JSON", "schema_mismatch"],
    ["Reached the max retries per request limit (which is 20).", "transient"],
    ["connection attempts exhausted", "transient"],
    ["Payment rejected by client", "business_rule"],
    ["Request rejected by client", "business_rule"],
    ["Rejected by client", "business_rule"],
    ["Daily withdrawal limit reached (retry 2)", "business_rule"],
    ["Item expired", "business_rule"],
    ["Deadline exceeded after retries", "transient"],
    ["Connection pool exhausted on retry", "transient"],
    ["execution expired", "transient"],
    ["Cart item expired", "business_rule"],
    ["Deadline exceeded on retry 3", "transient"],
    ["Deadline exceeded retrying request", "transient"],
    ["Disk quota exceeded on retry", "transient"],
    ["Quota exceeded retry later", "transient"],
    ["Stream closed by consumer", "transient"],
    ["Message size exceeds limit on retry", "poison"],
    ["Memory limit exceeded on retry", "poison"],
  ])("is passed over for the cause beside it: %s", (message, category) =>
    expect(of({ message }).category).toBe(category),
  );

  it.each([
    "Credit limit exceeded for customer 7",
    "Maximum delivery distance exceeded",
    "order exceeds the limit of 5 items",
    "too many vouchers",
  ])("is not what a rule of the business says: %s", (message) =>
    expect(of({ message }).category).toBe("business_rule"),
  );

  it.each([
    { message: "no workers available for topic job.orders" },
    { code: "no_workers", errorClass: "no_workers", message: "no_workers" },
  ])("is not a lack of workers, which passes: $message", (evidence) => expect(of(evidence).category).toBe("transient"));

  it("leaves it to the newest earlier error that names a cause", () => {
    const refused = { errorClass: "Error", message: "connect ECONNREFUSED 10.0.0.7:443", code: "ECONNREFUSED" };
    const earlier = [
      { errorClass: null, message: "Card declined", code: null },
      refused,
      { errorClass: null, message: "retry limit reached", code: null },
    ];
    expect(of({ message: "Delivery limit exceeded", earlier })).toMatchObject({
      category: "transient",
      why: /^An earlier error of this letter decides/,
    });
    expect(of({ message: "Delivery limit exceeded", earlier: earlier.slice(2) }).category).toBe("unknown");
    expect(of({ message: "Card declined", earlier }).category).toBe("business_rule");
  });

  it.each([
    ["execution failed", "none"],
    ["internal server error", "none"],
    ["job stalled", "uncertain"],
  ])("passes over an earlier error that wraps the cause, but not its side effect: %s", (message, sideEffect) => {
    const wrapper = { errorClass: null, message, code: null };
    const refused = { errorClass: "Error", message: "connect ECONNREFUSED 10.0.0.7:443", code: "ECONNREFUSED" };
    const last = { message: "Delivery limit exceeded" };
    expect(of({ ...last, earlier: [refused, wrapper] })).toMatchObject({
      category: "transient",
      why: /^An earlier error of this letter decides/,
      sideEffect,
    });
    expect(of({ ...last, earlier: [wrapper] }).rule).toBe(of({ message }).rule);
  });
});
